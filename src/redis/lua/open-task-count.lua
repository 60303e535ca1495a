-- open-task-count: begin to do an operators' task in a partition, where its earlier holders can do nothing from now on.
-- KEYS  1 count of the task in this partition
-- ARGV  1 fence   2 retention (s)
-- Returns 'open' | 'lost' (somebody else drives it)
local fence = redis.call('HGET', KEYS[1], 'fence')
if fence and tonumber(fence) > tonumber(ARGV[1]) then return 'lost' end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 'open'
