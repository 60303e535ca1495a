-- hand-back-task: return work that was taken and not begun; the attempt does not count.
-- KEYS  1 queue   2 record
-- ARGV  1 group   2 entry id (the lease)   3 record, relative to the partition   4 lane
-- Returns 'back' | 'lost'
-- uses: enqueue release
if redis.call('HGET', KEYS[2], ARGV[4] .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], ARGV[4] .. ':attempts', -1)
enqueue_first(KEYS[1], KEYS[2], ARGV[3], ARGV[4])
return 'back'
