-- settle-delivery: write one attempt of a delivery, what follows from it, and what it says about its endpoint.
-- KEYS  1 queue   2 delivery   3 retry set   4 dead letters   5 event body
--       6 dead deliveries of the event   7 webhook   8 breakers   9 parked deliveries of the webhook
-- ARGV  1 group   2 entry id (the lease)   3 number of the attempt   4 attempt (JSON)
--       5 delivered | retrying | dead_lettered   6 due at (ms, '' unless retrying)   7 retry member
--       8 delivery record, relative to the partition   9 reason   10 retention (s)   11 now (ms)
--       12 the webhook's `reset` when it was read ('' = the endpoint was not asked)
--       13 webhook, as the breakers name it   14… rules of the breaker, unless delivered
-- Returns 'settled' | 'opened' or 'closed' (settled, and the breaker turned) | 'lost' (another worker has it)
-- uses: release bury-delivery breaker
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
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[7])
elseif ARGV[5] == 'delivered' then
  close_record(KEYS[2])
  redis.call('EXPIRE', KEYS[2], ARGV[10])
else
  bury_delivery(KEYS[4], KEYS[2], KEYS[5], KEYS[6], ARGV[8], ARGV[9])
end
if ARGV[12] == '' then return 'settled' end
local id = string.match(ARGV[8], '[^:]+$')
local turned = judge_endpoint(KEYS[7], KEYS[8], KEYS[9], ARGV[13], id, ARGV[12], ARGV[5] == 'delivered',
  tonumber(ARGV[11]), { unpack(ARGV, 14) })
return turned or 'settled'
