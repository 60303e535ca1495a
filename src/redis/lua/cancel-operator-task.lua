-- cancel-operator-task: decide that work ends, and take it out of its holder's hands. Who holds it from here on can only
-- end it, also when that is not who cancelled it.
-- KEYS  1 task   2 audit log
-- ARGV  1 now (ms)   2 held until (ms)   3 holder   4 who cancels   5 audit record (JSON)
-- Returns the fence, a number | 'finished' | 'missing'
local task = redis.call('HMGET', KEYS[1], 'status', 'cancelled_by')
if not task[1] then return 'missing' end
if task[1] ~= 'running' then return 'finished' end
redis.call('HSET', KEYS[1], 'holder', ARGV[3], 'until', ARGV[2])
if not task[2] then
  redis.call('HSET', KEYS[1], 'cancelled_by', ARGV[4], 'cancelled_at', ARGV[1])
  redis.call('XADD', KEYS[2], '*', 'record', ARGV[5])
end
return tostring(redis.call('HINCRBY', KEYS[1], 'fence', 1))
