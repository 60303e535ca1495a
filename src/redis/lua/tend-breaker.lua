-- tend-breaker: one step of what is due for a webhook in the index of breakers. Open: parked deliveries that have waited
-- too long become dead letters, and when it is time, and none is under way, the oldest goes to the queue as the probe.
-- Closed, or the webhook deleted: the oldest go back to the queue. Which they are is known only here, so their keys are
-- made here; all share the slot.
-- KEYS  1 breakers   2 webhook   3 parked deliveries of the webhook   4 queue   5 dead letters
-- ARGV  1 webhook, as the breakers name it   2 the tenant's key prefix   3 the tenant's records begin with   4 now (ms)
--       5 how many at most   6 how long a delivery stays parked (ms)   7 how soon a probe is looked after (ms)
--       8 pause between two stretches (ms)   9 reason of the dead letters   10 what their histories say of it
-- Returns {released, probes, buried}
-- uses: enqueue bury-delivery
local now = tonumber(ARGV[4])
local function key_of(id) return ARGV[2] .. ':delivery:' .. id end
local function is_parked(id) return redis.call('HGET', key_of(id), 'send:state') == 'parked' end

local function look_again(at)
  redis.call('ZADD', KEYS[1], at, ARGV[1])
end

local function give_back(id)
  redis.call('HSET', key_of(id), 'next_at', ARGV[4])
  enqueue(KEYS[4], key_of(id), ARGV[3] .. 'delivery:' .. id, 'send')
end

-- The history shows the attempt that was never made, so that the tenant can see why; it is counted, so that no later one
-- takes its number.
local function bury(id)
  local made = redis.call('HINCRBY', key_of(id), 'send:attempts', 1)
  local facts = redis.call('HMGET', key_of(id), 'send:earlier', 'event')
  local number = made + tonumber(facts[1] or '0')
  local attempt = cjson.encode({ number = number, atMs = now, statusCode = cjson.null, durationMs = 0, error = ARGV[10] })
  redis.call('HSET', key_of(id), 'attempt:' .. number, attempt)
  local body = ARGV[2] .. ':event:' .. facts[2]
  bury_delivery(KEYS[5], key_of(id), body, body .. ':dead', ARGV[3] .. 'delivery:' .. id, ARGV[9])
end

local breaker = redis.call('HMGET', KEYS[2], 'opened_at', 'probe', 'probe_at')
if not breaker[1] then
  local released = 0
  local oldest = redis.call('ZPOPMIN', KEYS[3], ARGV[5])
  for i = 1, #oldest, 2 do
    if is_parked(oldest[i]) then
      give_back(oldest[i])
      released = released + 1
    end
  end
  if redis.call('EXISTS', KEYS[3]) == 1 then look_again(now + ARGV[8]) else redis.call('ZREM', KEYS[1], ARGV[1]) end
  return { released, 0, 0 }
end

local latest = string.format('%.0f', now - ARGV[6])
local overdue = redis.call('ZRANGE', KEYS[3], '-inf', latest, 'BYSCORE', 'LIMIT', 0, ARGV[5])
local buried = 0
for _, id in ipairs(overdue) do
  redis.call('ZREM', KEYS[3], id)
  if is_parked(id) then
    bury(id)
    buried = buried + 1
  end
end
if #overdue == tonumber(ARGV[5]) then
  look_again(now)
  return { 0, 0, buried }
end

-- A probe that is neither in the queue nor in anybody's hands was lost, or put off for a reason of ours.
local state = breaker[2] and redis.call('HGET', key_of(breaker[2]), 'send:state')
local under_way = state == 'queued' or state == 'running'
if breaker[2] and not under_way then redis.call('HDEL', KEYS[2], 'probe') end

local probes = 0
if not under_way and now >= tonumber(breaker[3]) then
  while probes == 0 do
    local id = redis.call('ZPOPMIN', KEYS[3])[1]
    if not id then break end
    if is_parked(id) then
      redis.call('HSET', KEYS[2], 'probe', id)
      give_back(id)
      under_way, probes = true, 1
    end
  end
end

local oldest = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
if under_way then look_again(now + ARGV[7])
elseif oldest[2] then look_again(math.min(tonumber(breaker[3]), oldest[2] + ARGV[6]))
else look_again('inf') end
return { 0, probes, buried }
