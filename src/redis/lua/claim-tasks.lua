-- claim-tasks: take waiting work of one partition, class after class, and count the attempt that now begins.
-- Which records the entries name is known only after the read, so their keys are made here; all share the slot.
-- KEYS  1… queue streams, in the order in which they are served
-- ARGV  1 group   2 consumer   3 how many at most   4 now (ms)   5 the partition's key prefix
-- Returns {{stream (index in KEYS), entry id, record, lane, {field, value, …}}, …}
-- uses: enqueue release
local tasks = {}
for index, stream in ipairs(KEYS) do
  local free = tonumber(ARGV[3]) - #tasks
  if free <= 0 then break end
  local read = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', free, 'STREAMS', stream, '>')
  for _, entry in ipairs(read and read[1][2] or {}) do
    local record, lane = entry[2][2], entry[2][4]
    local key = ARGV[5] .. ':' .. record
    local facts = redis.call('HMGET', key, lane .. ':entry', lane .. ':state')
    if facts[1] == entry[1] and facts[2] == 'running' then
      -- A group that was lost and made anew hands out what somebody holds: a lease of its own keeps the two apart.
      release(stream, ARGV[1], entry[1])
      enqueue(stream, key, record, lane)
    elseif facts[1] == entry[1] then
      redis.call('HINCRBY', key, lane .. ':attempts', 1)
      redis.call('HSET', key, lane .. ':state', 'running')
      redis.call('HSETNX', key, 'started_at', ARGV[4])
      if redis.call('HEXISTS', key, 'lanes') == 1 then redis.call('HSET', key, 'status', 'running') end
      tasks[#tasks + 1] = { index, entry[1], record, lane, redis.call('HGETALL', key) }
    else
      -- The record is gone, or names a later entry: this one was settled or handed on.
      release(stream, ARGV[1], entry[1])
    end
  end
end
return tasks
