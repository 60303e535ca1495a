-- promote-due: let work whose time has come back wait for a worker.
-- KEYS  1 retry set   2… queues, one for each class
-- ARGV  1 now (ms)   2 how many at most   3 the partition's key prefix   4… the classes, in the order of KEYS
-- Returns {promoted, next due at (ms) or ''}
-- uses: enqueue
local queues = {}
for i = 4, #ARGV do queues[ARGV[i]] = KEYS[i - 2] end
local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
local promoted = 0
for _, member in ipairs(due) do
  local class, lane, record = string.match(member, '^(%S+) (%S+) (%S+)$')
  local key = ARGV[3] .. ':' .. record
  redis.call('ZREM', KEYS[1], member)
  if redis.call('HGET', key, lane .. ':state') == 'retrying' then
    enqueue(queues[class], key, record, lane)
    promoted = promoted + 1
  end
end
local next = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { promoted, next[2] or '' }
