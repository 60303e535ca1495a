-- retry-task: put a failed attempt off. The wait is spent in a sorted set, not in the pending list.
-- KEYS  1 queue stream   2 retry set   3 record
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 due at (ms)   5 retry member   6 error (JSON)
-- Returns 'retry' | 'lost' (another worker has it)
-- uses: release
if redis.call('HGET', KEYS[3], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5])
redis.call('HSET', KEYS[3], ARGV[3] .. ':entry', '', ARGV[3] .. ':state', 'retrying', 'status', 'retrying')
-- Once a lane has failed for good, its error is the one that the job will end with.
for lane in string.gmatch(redis.call('HGET', KEYS[3], 'lanes') or '', '%S+') do
  if redis.call('HGET', KEYS[3], lane .. ':state') == 'failed' then return 'retry' end
end
redis.call('HSET', KEYS[3], 'error', ARGV[6])
return 'retry'
