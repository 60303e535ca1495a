-- retry-pass: put a failed attempt of a wallet's part of a pass operation off; unless a newer version waits behind it,
-- which then begins at once in its place.
-- KEYS  1 queue   2 job   3 pass   4 key prefix of the tenant's jobs
--       5 queue interactive   6 queue bulk
-- ARGV  1 group   2 entry id (the lease)   3 wallet   4 due at (ms)   5 error (JSON)
--       6 jobs, relative to the partition   7 job id   8 now (ms)   9 job retention (s)   10 channel of finished jobs
-- Returns 'retry' | 'overtaken' | 'lost' (another worker has it)
-- uses: enqueue give-way put-off
local lane = ARGV[3]
if redis.call('HGET', KEYS[2], lane .. ':entry') ~= ARGV[2] then return 'lost' end
local place = {
  pass = KEYS[3], jobs = KEYS[4], record = ARGV[6],
  queues = { interactive = KEYS[5], bulk = KEYS[6] },
  now = ARGV[8], retention = ARGV[9], channel = ARGV[10],
}
if gave_way(place, ARGV[7], lane, { queue = KEYS[1], group = ARGV[1], entry = ARGV[2] }) then return 'overtaken' end
put_off(KEYS[1], KEYS[2], ARGV[6] .. ARGV[7], lane, ARGV[1], ARGV[2], ARGV[4], ARGV[5])
return 'retry'
