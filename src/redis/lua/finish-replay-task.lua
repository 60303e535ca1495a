-- finish-replay-task: end a replay, with what became of its letters.
-- KEYS  1 task   2 ids of its letters   3 active tasks by scope   4 audit log
-- ARGV  1 fence   2 completed | cancelled   3 now (ms)   4 result (JSON)   5 audit record (JSON)   6 retention (s)
-- Returns 'finished' | 'lost' (somebody else holds it, or it has ended)
local task = redis.call('HMGET', KEYS[1], 'status', 'fence', 'scope')
if task[1] ~= 'running' or task[2] ~= ARGV[1] then return 'lost' end
redis.call('HSET', KEYS[1], 'status', ARGV[2], 'finished_at', ARGV[3], 'result', ARGV[4])
redis.call('HDEL', KEYS[1], 'holder', 'until')
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('UNLINK', KEYS[2])
redis.call('HDEL', KEYS[3], task[3])
redis.call('XADD', KEYS[4], '*', 'record', ARGV[5])
return 'finished'
