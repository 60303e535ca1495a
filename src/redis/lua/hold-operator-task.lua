-- hold-operator-task: go on holding work, or let it go, or note what it waits for.
-- KEYS  1 task
-- ARGV  1 fence   2 held until (ms; now = let go)   3 what it waits for ('' = nothing; absent = as it was)
-- Returns 'yours' | 'lost' (somebody else holds it, or it has ended)
local task = redis.call('HMGET', KEYS[1], 'status', 'fence')
if task[1] ~= 'running' or task[2] ~= ARGV[1] then return 'lost' end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
if ARGV[3] then redis.call('HSET', KEYS[1], 'note', ARGV[3]) end
return 'yours'
