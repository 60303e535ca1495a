-- publish-template: write a template and its next version, unless somebody else has published that version.
-- KEYS  1 template   2 version   3 names   4 templates   5… images
-- ARGV  1 number of the version   2 version (JSON)   3 name   4 template id   5 created at (ms)
--       6 number of template fields, then these (name, value, …), then the images' bytes in the order of KEYS
-- Returns 'published' | 'taken'
-- The record is written whole: what an earlier version had and this one has not must not stay.
local latest = redis.call('HGET', KEYS[1], 'latest_version')
if tonumber(latest or '0') ~= tonumber(ARGV[1]) - 1 then return 'taken' end
local named = redis.call('HGET', KEYS[3], ARGV[3])
if named and named ~= ARGV[4] then return 'taken' end
local last_field = 6 + tonumber(ARGV[6])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 7, last_field))
redis.call('SET', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
for i = 5, #KEYS do redis.call('SET', KEYS[i], ARGV[last_field + i - 4]) end
return 'published'
