-- settle-message: write what became of one wallet's part of a message.
-- KEYS  1 queue   2 job   3 message   4 messages   5 messages of the pass or template   6 dead letters
-- ARGV  1 group   2 entry id (the lease)   3 lane   4 sent | failed   5 error (JSON)   6 '1' = keep a dead letter
--       7 job record, relative to the partition   8 error code   9 message id   10 job id   11 now (ms)
--       12 job retention (s)   13 channel of finished jobs   14 warning (JSON, '' = none)
-- Returns 'settled' | 'lost' (another worker has it)
-- uses: letters release settle-job message-status
local lane = ARGV[3]
if redis.call('HGET', KEYS[2], lane .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
if ARGV[14] ~= '' then redis.call('HSET', KEYS[2], lane .. ':warning', ARGV[14]) end
if ARGV[4] == 'failed' then
  redis.call('HSET', KEYS[2], 'error', ARGV[5])
  if ARGV[6] == '1' then
    local letter = add_letter(KEYS[6], redis.call('HGET', KEYS[2], 'class'), ARGV[7], lane, ARGV[8])
    redis.call('HSET', KEYS[2], lane .. ':dead', letter)
  end
end
settle_lane(KEYS[2], lane, ARGV[4] == 'failed' and 'failed' or 'done', ARGV[11], ARGV[12], ARGV[13], ARGV[10])

local job = redis.call('HMGET', KEYS[2], 'status', 'done')
if job[1] == 'completed' then
  set_message_status(KEYS[3], KEYS[4], KEYS[5], ARGV[9], 'sent')
elseif job[1] == 'failed' then
  set_message_status(KEYS[3], KEYS[4], KEYS[5], ARGV[9], tonumber(job[2]) > 0 and 'partial' or 'failed')
end
return 'settled'
