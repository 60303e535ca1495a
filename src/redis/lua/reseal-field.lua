-- reseal-field: put a secret in the place of the same one that was sealed otherwise, unless somebody has changed it.
-- KEYS  1 hash
-- ARGV  1 field   2 its value as it was read   3 the new value
-- Returns 'resealed' | 'changed' (it is another one now, or gone)
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'changed' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 'resealed'
