-- settle-pass: write what became of one wallet's part of a pass operation, to the pass and to its job, and let what
-- waited behind it begin. A late answer for an older revision closes its lane and leaves the pass alone.
-- KEYS  1 queue   2 job   3 pass   4 passes by status   5 passes by template   6 dead letters   7 credits
--       8 events   9 events pass.activated   10 events pass.failed   11 event counts
--       12 key prefix of the tenant's jobs   13 queue interactive   14 queue bulk
-- ARGV  1 group   2 entry id (the lease)   3 wallet   4 revision that the work was done for   5 now (ms)
--       6 completed | revoked | failed | overtaken   7 error (JSON)   8 '1' = keep a dead letter
--       9 jobs, relative to the partition   10 error code   11 pass id   12 job id
--       13 packed event pass.activated   14 packed event pass.failed
--       15 job retention (s)   16 channel of finished jobs
--       17… the wallet's link or error as fields of the pass (name, value, …)
-- Returns 'settled' | 'lost' (another worker has it)
-- uses: enqueue letters release record-event credits settle-job pass-lanes pass-status
local lane = ARGV[3]
if redis.call('HGET', KEYS[2], lane .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])

local pass = redis.call('HMGET', KEYS[3], 'revision', 'status', 'wallets', 'created_at', 'charge')
local current = pass[1] and tonumber(pass[1]) <= tonumber(ARGV[4]) and ARGV[6] ~= 'overtaken'
if current then
  if ARGV[6] ~= 'failed' then redis.call('HDEL', KEYS[3], lane .. ':test') end
  redis.call('HSET', KEYS[3], lane, ARGV[6], lane .. ':at', ARGV[5], unpack(ARGV, 17))

  local completed, revoked, failed, total, lived = 0, 0, 0, 0, false
  for wallet in string.gmatch(pass[3], '%S+') do
    local at = redis.call('HGET', KEYS[3], wallet)
    total = total + 1
    -- A wallet that ever took the pass has a link to it.
    if redis.call('HEXISTS', KEYS[3], wallet .. ':link') == 1 then lived = true end
    if at == 'completed' then completed = completed + 1
    elseif at == 'revoked' then revoked = revoked + 1
    elseif at == 'failed' then failed = failed + 1 end
  end
  local status = pass[2]
  if status == 'revoking' then
    if revoked == total then status = 'revoked' end
  elseif completed == total then status = 'active'
  elseif failed == total then status = 'failed'
  elseif completed > 0 then status = 'partial' end

  set_pass_status(KEYS[3], KEYS[4], KEYS[5], ARGV[11], pass[2], status, pass[4])
  if status == 'active' and redis.call('HSETNX', KEYS[3], 'activated_at', ARGV[5]) == 1 then
    record_event(KEYS[8], KEYS[9], KEYS[11], 'pass.activated', ARGV[5], ARGV[13])
  end
  if status == 'failed' and pass[2] ~= 'failed' then
    record_event(KEYS[8], KEYS[10], KEYS[11], 'pass.failed', ARGV[5], ARGV[14])
    -- What never came to life is not charged for.
    if pass[5] and not lived then
      give_credits_back(KEYS[7], pass[5], 1, 'returned', ARGV[11])
      redis.call('HDEL', KEYS[3], 'charge')
    end
  end
end

if ARGV[6] == 'failed' then
  redis.call('HSET', KEYS[2], 'error', ARGV[7])
  if ARGV[8] == '1' then
    local letter = add_letter(KEYS[6], redis.call('HGET', KEYS[2], 'class'), ARGV[9] .. ARGV[12], lane, ARGV[10])
    redis.call('HSET', KEYS[2], lane .. ':dead', letter)
  end
end
settle_lane(KEYS[2], lane, ARGV[6] == 'failed' and 'failed' or 'done', ARGV[5], ARGV[15], ARGV[16], ARGV[12])
if pass[1] then
  next_lane({
    pass = KEYS[3], jobs = KEYS[12], record = ARGV[9],
    queues = { interactive = KEYS[13], bulk = KEYS[14] },
  }, lane)
end
return 'settled'
