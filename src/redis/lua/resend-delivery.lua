-- resend-delivery: queue an attempt of a delivery at once, with a fresh count, wherever it stood; unless it is in hand. It
-- is sent past an open breaker.
-- KEYS  1 queue   2 delivery   3 dead letters   4 event body   5 dead deliveries of the event
--       6 parked deliveries of the webhook
-- ARGV  1 now (ms)   2 delivery record, relative to the partition   3 retention (s)   4 delivery id
-- Returns 'queued' | 'in_hand' (a worker has it) | 'bodiless' (the event's body has expired) | 'gone' (no such delivery)
-- uses: enqueue delay dead-letter begin-again
local facts = redis.call('HMGET', KEYS[2], 'webhook', 'send:state', 'send:dead')
if not facts[1] then return 'gone' end
if facts[2] == 'running' then return 'in_hand' end
if redis.call('EXISTS', KEYS[4]) == 0 then return 'bodiless' end
withdraw(KEYS[1], ARGV[2], 'send')
undelay(KEYS[1], ARGV[2], 'send')
redis.call('ZREM', KEYS[6], ARGV[4])
if facts[3] then
  take_letter(KEYS[3], facts[3], KEYS[2], 'send')
  let_body_go(KEYS[4], KEYS[5], ARGV[2], ARGV[3])
  remember_letter(facts[3], KEYS[2], 'send', ARGV[1], '')
end
begin_again(KEYS[2], ARGV[1], true)
redis.call('PERSIST', KEYS[2])
enqueue(KEYS[1], KEYS[2], ARGV[2], 'send')
return 'queued'
