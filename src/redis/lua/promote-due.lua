-- promote-due: let work whose time has come back wait for a worker.
-- KEYS  1… queues of one partition
-- ARGV  1 now (ms)   2 how many at most, of each   3 the partition's key prefix
-- Returns {promoted, next due at (ms) or ''}
-- uses: enqueue
local promoted, next_due = 0, ''
for _, queue in ipairs(KEYS) do
  local delayed = queue .. ':delayed'
  for _, member in ipairs(redis.call('ZRANGE', delayed, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])) do
    local record, lane = string.match(member, '^(%S+) (%S+)$')
    local key = ARGV[3] .. ':' .. record
    redis.call('ZREM', delayed, member)
    if redis.call('HGET', key, lane .. ':state') == 'retrying' then
      enqueue(queue, key, record, lane)
      promoted = promoted + 1
    end
  end
  local due = redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2]
  if due and (next_due == '' or tonumber(due) < tonumber(next_due)) then next_due = due end
end
return { promoted, next_due }
