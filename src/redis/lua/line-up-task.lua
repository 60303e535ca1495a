-- line-up-task: let a lane of a job wait until its turn at a wallet comes, the attempt uncounted.
-- KEYS  1 queue   2 job
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 due at (ms)   5 job, relative to the partition
-- Returns 'in_line' | 'lost' (another worker has it)
-- uses: line-up
if redis.call('HGET', KEYS[2], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
line_up(KEYS[1], KEYS[2], ARGV[5], ARGV[3], ARGV[1], ARGV[2], ARGV[4])
return 'in_line'
