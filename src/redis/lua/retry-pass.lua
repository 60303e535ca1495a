-- retry-pass: put a failed attempt of a wallet's part of a pass operation off; unless a newer version waits behind it,
-- which then begins at once in its place.
-- KEYS  1 queue   2 retry set   3 job   4 pass   5 key prefix of the tenant's jobs
--       6 queue interactive   7 queue bulk
-- ARGV  1 group   2 entry id (the lease)   3 wallet   4 due at (ms)   5 retry member   6 error (JSON)
--       7 jobs, relative to the partition   8 job id   9 now (ms)   10 job retention (s)   11 channel of finished jobs
-- Returns 'retry' | 'overtaken' | 'lost' (another worker has it)
-- uses: enqueue release settle-job pass-lanes put-off
local lane = ARGV[3]
if redis.call('HGET', KEYS[3], lane .. ':entry') ~= ARGV[2] then return 'lost' end
local waiting = redis.call('HGET', KEYS[4], lane .. ':next')
if waiting and waiting ~= '' then
  release(KEYS[1], ARGV[1], ARGV[2])
  settle_lane(KEYS[3], lane, 'done', ARGV[9], ARGV[10], ARGV[11], ARGV[8])
  next_lane({
    pass = KEYS[4], jobs = KEYS[5], record = ARGV[7],
    queues = { interactive = KEYS[6], bulk = KEYS[7] },
  }, lane)
  return 'overtaken'
end
put_off(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], lane, ARGV[4], ARGV[5], ARGV[6])
return 'retry'
