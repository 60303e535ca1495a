-- resend-delivery: queue an attempt of a delivery at once, with a fresh count, wherever it stood; unless it is in hand.
-- KEYS  1 queue stream   2 delivery   3 retry set   4 dead letters   5 event body   6 dead deliveries of the event
-- ARGV  1 group   2 now (ms)   3 retry member   4 delivery record, relative to the partition   5 retention (s)
-- Returns 'queued' | 'in_hand' (a worker has it) | 'bodiless' (the event's body has expired) | 'gone' (no such delivery)
-- uses: enqueue release dead-letter begin-again
local facts = redis.call('HMGET', KEYS[2], 'webhook', 'send:state', 'send:entry', 'send:dead')
if not facts[1] then return 'gone' end
if facts[2] == 'running' then return 'in_hand' end
if redis.call('EXISTS', KEYS[5]) == 0 then return 'bodiless' end
-- One that is queued already gets a new entry nevertheless: the old one may have been lost with its stream.
if facts[3] and facts[3] ~= '' then release(KEYS[1], ARGV[1], facts[3]) end
redis.call('ZREM', KEYS[3], ARGV[3])
if facts[4] then
  take_letter(KEYS[4], facts[4], KEYS[2], 'send')
  let_body_go(KEYS[5], KEYS[6], ARGV[4], ARGV[5])
  remember_letter(facts[4], KEYS[2], 'send', ARGV[2], '')
end
begin_again(KEYS[2], ARGV[2])
redis.call('PERSIST', KEYS[2])
enqueue(KEYS[1], KEYS[2], ARGV[4], 'send')
return 'queued'
