-- postpone-task: let work that was taken and not begun come back later; the attempt does not count.
-- KEYS  1 queue   2 retry set   3 record
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 due at (ms)   5 retry member
-- Returns 'postponed' | 'lost'
-- uses: release
if redis.call('HGET', KEYS[3], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[3], ARGV[3] .. ':attempts', -1)
redis.call('HSET', KEYS[3], ARGV[3] .. ':entry', '', ARGV[3] .. ':state', 'retrying')
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5])
return 'postponed'
