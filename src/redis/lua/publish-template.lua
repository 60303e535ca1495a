-- publish-template: write a template and its next version, unless somebody else has published that version.
-- KEYS  1 template   2 version   3 draft   4 names   5 templates   6 published   7… images
-- ARGV  1 number of the version   2 version (JSON)   3 the draft that it was (JSON, '' = it was none)   4 name
--       5 template id   6 created at (ms)   7 what the wallets are to be told ('' = nothing)   8 from when on (ms)   9 and once
--       more from when on (ms)
--       10 number of template fields, then these (name, value, …), then the images' bytes in the order of KEYS
-- Returns 'published' | 'taken' (the version exists, another template has the name, or another draft waits)
-- The record is written whole: what an earlier version had and this one has not must not stay.
local latest = redis.call('HGET', KEYS[1], 'latest_version')
if tonumber(latest or '0') ~= tonumber(ARGV[1]) - 1 then return 'taken' end
if ARGV[3] ~= '' and redis.call('GET', KEYS[3]) ~= ARGV[3] then return 'taken' end
local named = redis.call('HGET', KEYS[4], ARGV[4])
if named and named ~= ARGV[5] then return 'taken' end
local last_field = 10 + tonumber(ARGV[10])
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('HSET', KEYS[1], unpack(ARGV, 11, last_field))
redis.call('SET', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[4], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[5], ARGV[6], ARGV[5])
if ARGV[7] ~= '' then redis.call('ZADD', KEYS[6], ARGV[8], ARGV[7], ARGV[9], ARGV[7] .. ' again') end
for i = 7, #KEYS do redis.call('SET', KEYS[i], ARGV[last_field + i - 6]) end
return 'published'
