-- postpone-task: let work that was taken and not begun come back later; the attempt does not count.
-- KEYS  1 queue   2 record
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 due at (ms)   5 record, relative to the partition
-- Returns 'postponed' | 'lost'
-- uses: release delay
if redis.call('HGET', KEYS[2], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], ARGV[3] .. ':attempts', -1)
redis.call('HSET', KEYS[2], ARGV[3] .. ':entry', '', ARGV[3] .. ':state', 'retrying')
delay(KEYS[1], ARGV[5], ARGV[3], ARGV[4])
return 'postponed'
