-- resend-delivery: queue an attempt of a delivery at once, with a fresh count, wherever it stood; unless it is in hand. It
-- is sent past an open breaker.
-- KEYS  1 queue   2 delivery   3 retry set   4 dead letters   5 event body   6 dead deliveries of the event
--       7 parked deliveries of the webhook
-- ARGV  1 now (ms)   2 retry member   3 delivery record, relative to the partition   4 retention (s)   5 delivery id
-- Returns 'queued' | 'in_hand' (a worker has it) | 'bodiless' (the event's body has expired) | 'gone' (no such delivery)
-- uses: enqueue dead-letter begin-again
local facts = redis.call('HMGET', KEYS[2], 'webhook', 'send:state', 'send:dead')
if not facts[1] then return 'gone' end
if facts[2] == 'running' then return 'in_hand' end
if redis.call('EXISTS', KEYS[5]) == 0 then return 'bodiless' end
withdraw(KEYS[1], ARGV[3], 'send')
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[7], ARGV[5])
if facts[3] then
  take_letter(KEYS[4], facts[3], KEYS[2], 'send')
  let_body_go(KEYS[5], KEYS[6], ARGV[3], ARGV[4])
  remember_letter(facts[3], KEYS[2], 'send', ARGV[1], '')
end
begin_again(KEYS[2], ARGV[1], true)
redis.call('PERSIST', KEYS[2])
enqueue(KEYS[1], KEYS[2], ARGV[3], 'send')
return 'queued'
