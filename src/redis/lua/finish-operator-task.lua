-- finish-operator-task: end long work of operators, with what became of it.
-- KEYS  1 task   2 active tasks by scope   3 audit log   4 ids of what it was about (where they may be named)
-- ARGV  1 fence   2 completed | cancelled | failed   3 now (ms)   4 result (JSON)   5 audit record (JSON)   6 retention (s)
-- Returns 'finished' | 'lost' (somebody else holds it, or it has ended)
local task = redis.call('HMGET', KEYS[1], 'status', 'fence', 'scope')
if task[1] ~= 'running' or task[2] ~= ARGV[1] then return 'lost' end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'finished_at', ARGV[3], 'result', ARGV[4])
redis.call('HDEL', KEYS[1], 'holder', 'until')
redis.call('EXPIRE', KEYS[1], ARGV[6])
if KEYS[4] then redis.call('UNLINK', KEYS[4]) end
redis.call('HDEL', KEYS[2], task[3])
redis.call('XADD', KEYS[3], '*', 'record', ARGV[5])
return 'finished'
