-- hold-replay-task: go on holding a replay, or let it go.
-- KEYS  1 task
-- ARGV  1 fence   2 held until (ms; now = let go)
-- Returns 'yours' | 'lost' (somebody else holds it, or it has ended)
local task = redis.call('HMGET', KEYS[1], 'status', 'fence')
if task[1] ~= 'running' or task[2] ~= ARGV[1] then return 'lost' end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return 'yours'
