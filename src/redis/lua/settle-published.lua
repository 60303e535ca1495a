-- settle-published: a published version is known to the wallets, or is to be tried again later.
-- KEYS  1 published
-- ARGV  1 member   2 due at (ms, '' = done)
-- Returns 'settled'
if ARGV[2] == '' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1]) end
return 'settled'
