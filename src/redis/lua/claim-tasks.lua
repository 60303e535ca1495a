-- claim-tasks: take waiting work of one partition, class after class, and count the attempt that now begins.
-- Which records the entries name is known only after the read, so their keys are made here; all share the slot.
-- KEYS  1… queue streams, in the order in which they are served
-- ARGV  1 group   2 consumer   3 how many at most   4 now (ms)   5 the partition's key prefix
-- Returns {{stream (index in KEYS), entry id, record, lane, {field, value, …}}, …}
-- uses: enqueue release

-- What a script has written stays when it fails later, so a group that is missing (FLUSHALL, a deleted stream) is made
-- right here, from the beginning of its stream: else the work taken from an earlier class would be in nobody's hands.
local function read(stream, count)
  local reply = redis.pcall('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', count, 'STREAMS', stream, '>')
  if reply and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
    redis.call('XGROUP', 'CREATE', stream, ARGV[1], '0', 'MKSTREAM')
    reply = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', count, 'STREAMS', stream, '>')
  end
  if reply and reply.err then error(reply.err) end
  return reply and reply[1][2] or {}
end

-- While a wallet is asked for a pass, the pass says so.
local function show_on_pass(key, record, lane)
  local subject = redis.call('HMGET', key, 'resource_type', 'resource_id')
  if subject[1] ~= 'pass' then return end
  local pass = ARGV[5] .. ':' .. string.match(record, '^[^:]+') .. ':pass:' .. subject[2]
  if redis.call('HGET', pass, lane) == 'queued' then
    redis.call('HSET', pass, lane, 'processing', lane .. ':at', ARGV[4])
  end
end

local tasks = {}
for index, stream in ipairs(KEYS) do
  -- Entries that come to nothing are no reason to go away: what waits may be right behind them.
  repeat
    local free = tonumber(ARGV[3]) - #tasks
    local entries = free > 0 and read(stream, free) or {}
    for _, entry in ipairs(entries) do
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
        if redis.call('HEXISTS', key, 'lanes') == 1 then
          redis.call('HSET', key, 'status', 'running')
          show_on_pass(key, record, lane)
        end
        tasks[#tasks + 1] = { index, entry[1], record, lane, redis.call('HGETALL', key) }
      else
        -- The record is gone, or names a later entry: this one was settled or handed on.
        release(stream, ARGV[1], entry[1])
      end
    end
  until #entries == 0
end
return tasks
