-- line-up-pass: let a wallet's part of a pass operation wait until its turn at the wallet comes, the attempt uncounted;
-- unless a newer version waits behind it, which then begins at once in its place.
-- KEYS  1 queue   2 job   3 pass   4 key prefix of the tenant's jobs
--       5 queue interactive   6 queue bulk
-- ARGV  1 group   2 entry id (the lease)   3 wallet   4 due at (ms)
--       5 jobs, relative to the partition   6 job id   7 now (ms)   8 job retention (s)   9 channel of finished jobs
-- Returns 'in_line' | 'overtaken' | 'lost' (another worker has it)
-- uses: enqueue give-way line-up
local lane = ARGV[3]
if redis.call('HGET', KEYS[2], lane .. ':entry') ~= ARGV[2] then return 'lost' end
local place = {
  pass = KEYS[3], jobs = KEYS[4], record = ARGV[5],
  queues = { interactive = KEYS[5], bulk = KEYS[6] },
  now = ARGV[7], retention = ARGV[8], channel = ARGV[9],
}
if gave_way(place, ARGV[6], lane, { queue = KEYS[1], group = ARGV[1], entry = ARGV[2] }) then return 'overtaken' end
line_up(KEYS[1], KEYS[2], ARGV[5] .. ARGV[6], lane, ARGV[1], ARGV[2], ARGV[4])
return 'in_line'
