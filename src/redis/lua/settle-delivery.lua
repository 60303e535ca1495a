-- settle-delivery: write one attempt of a delivery, what follows from it, and what it says about its endpoint.
-- KEYS  1 queue   2 delivery   3 dead letters   4 event body
--       5 dead deliveries of the event   6 webhook   7 breakers   8 parked deliveries of the webhook
-- ARGV  1 group   2 entry id (the lease)   3 number of the attempt   4 attempt (JSON)
--       5 delivered | retrying | dead_lettered   6 due at (ms, '' unless retrying)
--       7 delivery record, relative to the partition   8 reason   9 retention (s)   10 now (ms)
--       11 the webhook's `reset` when it was read ('' = the endpoint was not asked)
--       12 webhook, as the breakers name it   13… rules of the breaker, unless delivered
-- Returns 'settled' | 'opened' or 'closed' (settled, and the breaker turned) | 'lost' (another worker has it)
-- uses: release delay bury-delivery breaker
local now = redis.call('HMGET', KEYS[2], 'send:entry', 'attempt:' .. ARGV[3])
if now[1] ~= ARGV[2] then
  -- The answer to this very call may have been lost on its way: what is written already is settled.
  return now[2] == ARGV[4] and 'settled' or 'lost'
end
release(KEYS[1], ARGV[1], ARGV[2])
local state = ARGV[5] == 'delivered' and 'done' or 'retrying'
redis.call('HSET', KEYS[2], 'attempt:' .. ARGV[3], ARGV[4], 'status', ARGV[5], 'send:entry', '', 'send:state', state,
  'next_at', ARGV[6])
if ARGV[5] == 'retrying' then
  delay(KEYS[1], ARGV[7], 'send', ARGV[6])
elseif ARGV[5] == 'delivered' then
  close_record(KEYS[2])
  redis.call('EXPIRE', KEYS[2], ARGV[9])
else
  bury_delivery(KEYS[3], KEYS[2], KEYS[4], KEYS[5], ARGV[7], ARGV[8])
end
if ARGV[11] == '' then return 'settled' end
local id = string.match(ARGV[7], '[^:]+$')
local turned = judge_endpoint(KEYS[6], KEYS[7], KEYS[8], ARGV[12], id, ARGV[11], ARGV[5] == 'delivered',
  tonumber(ARGV[10]), { unpack(ARGV, 13) })
return turned or 'settled'
