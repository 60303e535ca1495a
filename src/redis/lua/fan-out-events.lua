-- fan-out-events: turn waiting events into one delivery for each webhook that is subscribed now. Reading, writing and
-- removing are one step: no event is lost or delivered twice for a crash in between.
-- An event about a job or a batch (k, i) has no body yet. It stays where it is and is named to the caller, who makes
-- the body and calls again; whoever does so first has the event sent.
-- A delivery's id keeps the event's time and takes the rest from event and webhook, so it is a UUID version 7 too.
-- Which webhooks there are is known only here, so their keys are made here; all share the slot.
-- KEYS  1 outbox   2 queue of class webhooks
-- ARGV  1 how many events at most   2 now (ms)   3 the partition's key prefix   4 retention (s)
--       5 first entry of the stretch   6… event id, body of each event that was made one ('' = what it is about is gone)
-- Returns {number of events, {{tenant, event, type, at (ms), kind, resource id}, … to make bodies of},
--   first entry of the next stretch ('' = that was the last)}
-- uses: enqueue
local function delivery_id(event, webhook)
  local hash = redis.sha1hex(event .. webhook)
  local variant = string.sub('89ab', tonumber(string.sub(hash, 4, 4), 16) % 4 + 1, -1)
  return string.sub(event, 1, 15) .. string.sub(hash, 1, 3) .. '-' .. string.sub(variant, 1, 1)
    .. string.sub(hash, 5, 7) .. '-' .. string.sub(hash, 8, 19)
end

-- Of each history, {instant, delivery, …} of what comes. A few that are out of retention leave for each: the list shrinks
-- as fast as it once grew.
local histories = {}
local function add_to_histories()
  local oldest = string.format('%.0f', tonumber(ARGV[2]) - 1000 * tonumber(ARGV[4]))
  for history, added in pairs(histories) do
    redis.call('ZADD', history, unpack(added))
    redis.call('EXPIRE', history, ARGV[4])
    local expired = redis.call('ZRANGE', history, '-inf', '(' .. oldest, 'BYSCORE', 'LIMIT', 0, 5 * #added)
    if #expired > 0 then redis.call('ZREM', history, unpack(expired)) end
  end
end

local subscribers = {}
local function subscribers_of(key)
  subscribers[key] = subscribers[key] or redis.call('SMEMBERS', key)
  return subscribers[key]
end

local bodies = {}
for i = 6, #ARGV, 2 do bodies[ARGV[i]] = ARGV[i + 1] end

-- Takes nothing away. But a script that has written is not refused for want of memory (maxmemory), and what follows from
-- work that was accepted has to go on.
redis.call('XDEL', KEYS[1], '0-1')

local fanned_out, bodiless, deliveries = {}, {}, {}
local entries = redis.call('XRANGE', KEYS[1], ARGV[5], '+', 'COUNT', ARGV[1])
for _, entry in ipairs(entries) do
  local facts = {}
  for i = 1, #entry[2], 2 do facts[entry[2][i]] = entry[2][i + 1] end
  local event, type = facts.e, facts.y
  local owner = ARGV[3] .. ':' .. facts.t
  local webhooks = subscribers_of(owner .. ':webhooks:' .. type)
  local body = facts.k and bodies[event]
  if facts.k and not body and #webhooks > 0 then
    bodiless[#bodiless + 1] = { facts.t, event, type, facts.a, facts.k, facts.i }
  else
    if body == '' then webhooks = {} end
    if body and #webhooks > 0 then redis.call('SET', owner .. ':event:' .. event, body, 'EX', ARGV[4]) end
    for _, webhook in ipairs(webhooks) do
      local id = delivery_id(event, webhook)
      local key = owner .. ':delivery:' .. id
      deliveries[#deliveries + 1] = { key, facts.t .. ':delivery:' .. id, 'send', {
        'webhook', webhook, 'event', event, 'type', type, 'status', 'pending', 'created_at', ARGV[2], 'next_at', ARGV[2],
      } }
      local history = owner .. ':webhook:' .. webhook .. ':deliveries'
      local added = histories[history] or {}
      histories[history] = added
      added[#added + 1] = ARGV[2]
      added[#added + 1] = id
    end
    fanned_out[#fanned_out + 1] = entry[1]
  end
end
add_to_histories()
enqueue_all(KEYS[2], deliveries)
if ARGV[5] == '-' and #fanned_out == #entries and #entries > 0 then
  -- All from the beginning on: cut off as a whole, which is cheaper than taking them out one by one.
  local ms, number = string.match(fanned_out[#fanned_out], '^(%d+)-(%d+)$')
  redis.call('XTRIM', KEYS[1], 'MINID', ms .. '-' .. string.format('%.0f', number + 1))
elseif #fanned_out > 0 then
  redis.call('XDEL', KEYS[1], unpack(fanned_out))
end
return { #fanned_out, bodiless, #entries == tonumber(ARGV[1]) and '(' .. entries[#entries][1] or '' }
