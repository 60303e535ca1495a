-- keep-template-draft: keep a version that waits for its publication, in the place of an earlier one.
-- KEYS  1 template   2 draft   3 names   4 templates   5… images
-- ARGV  1 the template's latest version (0 = none is published)   2 draft (JSON)   3 name   4 template id
--       5 created at (ms)   6 drafted at (ms)
--       7 number of template fields, then these (name, value, …), then the images' bytes in the order of KEYS
-- Returns 'kept' | 'taken' (the latest version is another one, or another template has the name)
-- Of a template that has been published only the draft is written: the rest is what passes are made from.
local latest = redis.call('HGET', KEYS[1], 'latest_version')
if tonumber(latest or '0') ~= tonumber(ARGV[1]) then return 'taken' end
local named = redis.call('HGET', KEYS[3], ARGV[3])
if named and named ~= ARGV[4] then return 'taken' end
local last_field = 7 + tonumber(ARGV[7])
if ARGV[1] == '0' then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], unpack(ARGV, 8, last_field))
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
  redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
else
  redis.call('HSET', KEYS[1], 'draft_at', ARGV[6])
end
redis.call('SET', KEYS[2], ARGV[2])
for i = 5, #KEYS do redis.call('SET', KEYS[i], ARGV[last_field + i - 4]) end
return 'kept'
