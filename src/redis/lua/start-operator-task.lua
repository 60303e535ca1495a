-- start-operator-task: write long work of operators down before its first step, in the hands of whoever asks for it (or of
-- nobody: held until now); unless other work of its scope, or of all, still runs.
-- KEYS  1 task   2 tasks   3 active tasks by scope   4 audit log   5 ids of what it is about (where they are named)
-- ARGV  1 task id   2 scope (a tenant's id, or *)   3 now (ms)   4 held until (ms)   5 holder
--       6 ids of what it is about (JSON, '' = not named)   7 audit record (JSON)   8 retention (ms)   9… fields of the task
-- Returns 'started' | the id of the task that stands in the way
local others = ARGV[2] == '*' and redis.call('HVALS', KEYS[3]) or redis.call('HMGET', KEYS[3], '*', ARGV[2])
for _, other in ipairs(others) do
  if other then return other end
end
redis.call('HSET', KEYS[1], unpack(ARGV, 9))
redis.call('HSET', KEYS[1], 'scope', ARGV[2], 'status', 'running', 'created_at', ARGV[3], 'started_at', ARGV[3],
  'fence', 1, 'holder', ARGV[5], 'until', ARGV[4])
if ARGV[6] ~= '' then redis.call('SET', KEYS[5], ARGV[6]) end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3] - 2 * ARGV[8])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('XADD', KEYS[4], '*', 'record', ARGV[7])
return 'started'
