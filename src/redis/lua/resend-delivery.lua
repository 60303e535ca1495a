-- resend-delivery: queue an attempt of a delivery at once, with a fresh count, wherever it stood; unless it is in hand.
-- KEYS  1 queue stream   2 delivery   3 retry set   4 dead letters   5 event body
-- ARGV  1 group   2 now (ms)   3 retry member   4 delivery record, relative to the partition
-- Returns 'queued' | 'in_hand' (a worker has it) | 'bodiless' (the event's body has expired) | 'gone' (no such delivery)
-- uses: enqueue release
local facts = redis.call('HMGET', KEYS[2], 'webhook', 'send:state', 'send:entry', 'send:attempts', 'send:earlier',
  'send:dead')
if not facts[1] then return 'gone' end
if facts[2] == 'running' then return 'in_hand' end
if redis.call('EXISTS', KEYS[5]) == 0 then return 'bodiless' end
-- One that is queued already gets a new entry nevertheless: the old one may have been lost with its stream.
if facts[3] and facts[3] ~= '' then release(KEYS[1], ARGV[1], facts[3]) end
redis.call('ZREM', KEYS[3], ARGV[3])
if facts[6] then
  redis.call('XDEL', KEYS[4], facts[6])
  redis.call('HDEL', KEYS[2], 'send:dead')
end
-- The history goes on where it was: the new attempts must not take the numbers, and so the places, of the old ones.
local earlier = tonumber(facts[5] or '0') + tonumber(facts[4] or '0')
redis.call('HSET', KEYS[2], 'status', 'pending', 'next_at', ARGV[2], 'send:attempts', 0, 'send:earlier', earlier)
redis.call('PERSIST', KEYS[2])
enqueue(KEYS[1], KEYS[2], ARGV[4], 'send')
return 'queued'
