-- retry-task: put a failed attempt off.
-- KEYS  1 queue   2 record
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 due at (ms)   5 record, relative to the partition   6 error (JSON)
-- Returns 'retry' | 'lost' (another worker has it)
-- uses: put-off
if redis.call('HGET', KEYS[2], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
put_off(KEYS[1], KEYS[2], ARGV[5], ARGV[3], ARGV[1], ARGV[2], ARGV[4], ARGV[6])
return 'retry'
