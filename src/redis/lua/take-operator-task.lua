-- take-operator-task: take work that runs and that nobody holds into one's hands. Each new holder has a higher fence.
-- KEYS  1 task
-- ARGV  1 now (ms)   2 held until (ms)   3 holder
-- Returns the fence, a number | 'held' (by somebody else) | 'finished' | 'missing'
local task = redis.call('HMGET', KEYS[1], 'status', 'until')
if not task[1] then return 'missing' end
if task[1] ~= 'running' then return 'finished' end
if tonumber(task[2]) > tonumber(ARGV[1]) then return 'held' end
redis.call('HSET', KEYS[1], 'holder', ARGV[3], 'until', ARGV[2])
return tostring(redis.call('HINCRBY', KEYS[1], 'fence', 1))
