-- enqueue: let one lane of a record wait for a worker. `queue` is the key of the class; what waits lies in QUEUE:ready,
-- and what is in somebody's hands on the stream QUEUE itself.
-- Tenants take turns (start-time fair queueing, Goyal, Vin and Cheng 1996): the next of a tenant comes one turn behind
-- its last, and not before the turn that is being served. So who has nothing waiting yet goes next, however much of
-- somebody else's waits. QUEUE:turns holds each tenant's next turn, and `now`, the one that is served.
-- uses: open-records
local function wait_at(queue, record_key, record, lane, turn)
  local time = redis.call('TIME')
  redis.call('ZADD', queue .. ':ready', turn, record .. ' ' .. lane)
  -- No lease, but since when it waits.
  local since = string.format('@%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('HSET', record_key, lane .. ':entry', since, lane .. ':state', 'queued')
  open_record(record_key, record, time[1])
end

local function ring(queue) redis.call('XADD', queue .. ':bell', 'MAXLEN', 1, '*', 'q', '') end

local function enqueue(queue, record_key, record, lane)
  local tenant = string.match(record, '^[^:]+')
  local turns = redis.call('HMGET', queue .. ':turns', tenant, 'now')
  local own, now = tonumber(turns[1] or '0'), tonumber(turns[2] or '0')
  local turn = math.max(own, now)
  redis.call('HSET', queue .. ':turns', tenant, turn + 1)
  wait_at(queue, record_key, record, lane, turn)
  -- Where more of the tenant's waits already, a worker is on its way or has its hands full.
  if own <= now or redis.call('ZCARD', queue .. ':ready') == 1 then ring(queue) end
end

-- The same for work that was taken before: it goes ahead of all that was not.
local function enqueue_first(queue, record_key, record, lane)
  local now = tonumber(redis.call('HGET', queue .. ':turns', 'now') or '0')
  wait_at(queue, record_key, record, lane, now - 1)
  ring(queue)
end

-- Takes back what waits; answers with the turn that it had, where it waited.
local function withdraw(queue, record, lane)
  local member = record .. ' ' .. lane
  local turn = redis.call('ZSCORE', queue .. ':ready', member)
  redis.call('ZREM', queue .. ':ready', member)
  return turn
end
