-- seed-signing-keys: write the first signing keys, once.
-- KEYS  1 signing keys
-- ARGV  1… key id, record (JSON) of each
-- Returns 'seeded' | 'present'
if redis.call('EXISTS', KEYS[1]) == 1 then return 'present' end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 'seeded'
