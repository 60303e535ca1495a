-- reconcile: look after the records of a partition that have long been open, a stretch at a time, and let those wait
-- again that are nowhere: neither ready, nor in somebody's hands, nor put off, nor parked. That takes a stream, a group or a set
-- that was deleted. Of several workers that call, one looks in each interval.
-- KEYS  1 open records   2 where the last look ended   3… queues, one for each class
-- ARGV  1 interval (ms)   2 lease (ms)   3 how many at most   4 the partition's key prefix   5 group
--       6… the classes, in the order of the queues
-- Returns how many lanes wait again
-- uses: enqueue missed
local now, lease = time_ms(), tonumber(ARGV[2])
local last = redis.call('HMGET', KEYS[2], 'at', 'rank')
if last[1] and now - tonumber(last[1]) < tonumber(ARGV[1]) then return 0 end

local queues = {}
for i = 6, #ARGV do queues[ARGV[i]] = KEYS[i - 3] end

local function is_pending(queue, entry)
  if #redis.call('XRANGE', queue, entry, entry) == 0 then return false end
  local pending = redis.pcall('XPENDING', queue, ARGV[5], entry, entry, 1)
  return not pending.err and #pending > 0
end

-- Whether a parked delivery is where its webhook's breaker finds it; and sees to it that somebody looks after that.
local function is_tended(key, record)
  local tenant, id = string.match(record, '^([^:]+):delivery:(.+)$')
  local webhook = redis.call('HGET', key, 'webhook')
  if not redis.call('ZSCORE', ARGV[4] .. ':' .. tenant .. ':webhook:' .. webhook .. ':parked', id) then return false end
  redis.call('ZADD', ARGV[4] .. ':breakers', 'NX', 0, tenant .. ' ' .. webhook)
  return true
end

local function is_nowhere(class, key, record, lane)
  local state, entry = unpack(redis.call('HMGET', key, lane .. ':state', lane .. ':entry'))
  if state == 'queued' then
    return not redis.call('ZSCORE', queues[class] .. ':ready', record .. ' ' .. lane)
  elseif state == 'retrying' then
    return not redis.call('ZSCORE', queues[class] .. ':delayed', record .. ' ' .. lane)
  elseif state == 'running' then
    return not is_pending(queues[class], entry) and missed_for(key, lane, entry) >= lease
  elseif state == 'parked' then
    return not is_tended(key, record)
  end
  return false
end

local rank, most = tonumber(last[2] or '0'), tonumber(ARGV[3])
local records = redis.call('ZRANGE', KEYS[1], rank, rank + most - 1, 'WITHSCORES')
local restored, closed, is_end = 0, 0, #records < 2 * most
for i = 1, #records, 2 do
  local record = records[i]
  -- What has come within the last lease is on its way.
  is_end = is_end or tonumber(records[i + 1]) > now - lease
  if tonumber(records[i + 1]) > now - lease then break end
  local key = ARGV[4] .. ':' .. record
  local facts = redis.call('HMGET', key, 'status', 'class', 'lanes')
  if facts[1] then
    local class = facts[2] or 'webhooks'
    for lane in string.gmatch(facts[3] or 'send', '%S+') do
      if queues[class] and is_nowhere(class, key, record, lane) then
        enqueue(queues[class], key, record, lane)
        restored = restored + 1
      end
    end
  else
    close_record(key)
    closed = closed + 1
  end
end
-- Where something was found there may be more, and it has waited long enough.
redis.call('HSET', KEYS[2], 'at', restored > 0 and 0 or now, 'rank', is_end and 0 or rank + most - closed)
return restored
