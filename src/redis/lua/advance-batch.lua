-- advance-batch: note what became of the next operations of a batch.
-- KEYS  1 job   2 batch   3 errors
-- ARGV  1 entry id (the lease)   2 index of the first operation   3 succeeded   4 failed   5 most errors to keep
--       6… index, error (JSON) of each failed one
-- Returns 'advanced' | 'lost' (another worker has it)
if redis.call('HGET', KEYS[1], 'main:entry') ~= ARGV[1] then return 'lost' end
if redis.call('HGET', KEYS[2], 'next') ~= ARGV[2] then return 'lost' end
redis.call('HINCRBY', KEYS[2], 'next', tonumber(ARGV[3]) + tonumber(ARGV[4]))
redis.call('HINCRBY', KEYS[2], 'succeeded', ARGV[3])
redis.call('HINCRBY', KEYS[2], 'failed', ARGV[4])
-- A crash costs an attempt only where nothing moves on.
redis.call('HSET', KEYS[1], 'done', redis.call('HGET', KEYS[2], 'next'), 'main:attempts', 1)
for i = 6, #ARGV, 2 do redis.call('ZADD', KEYS[3], ARGV[i], ARGV[i + 1]) end
redis.call('ZREMRANGEBYRANK', KEYS[3], ARGV[5], -1)
return 'advanced'
