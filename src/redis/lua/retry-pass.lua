-- retry-pass: put a failed attempt of a wallet's part of a pass operation off; unless a newer version waits behind it,
-- which then begins at once in its place.
-- KEYS  1 queue   2 job   3 pass   4 key prefix of the tenant's jobs
--       5 queue interactive   6 queue bulk
-- ARGV  1 group   2 entry id (the lease)   3 wallet   4 due at (ms)   5 error (JSON)
--       6 jobs, relative to the partition   7 job id   8 now (ms)   9 job retention (s)   10 channel of finished jobs
-- Returns 'retry' | 'overtaken' | 'lost' (another worker has it)
-- uses: enqueue release settle-job pass-lanes put-off
local lane = ARGV[3]
if redis.call('HGET', KEYS[2], lane .. ':entry') ~= ARGV[2] then return 'lost' end
local waiting = redis.call('HGET', KEYS[3], lane .. ':next')
if waiting and waiting ~= '' then
  release(KEYS[1], ARGV[1], ARGV[2])
  settle_lane(KEYS[2], lane, 'done', ARGV[8], ARGV[9], ARGV[10], ARGV[7])
  next_lane({
    pass = KEYS[3], jobs = KEYS[4], record = ARGV[6],
    queues = { interactive = KEYS[5], bulk = KEYS[6] },
  }, lane)
  return 'overtaken'
end
put_off(KEYS[1], KEYS[2], ARGV[6] .. ARGV[7], lane, ARGV[1], ARGV[2], ARGV[4], ARGV[5])
return 'retry'
