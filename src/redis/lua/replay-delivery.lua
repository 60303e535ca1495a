-- replay-delivery: give a delivery that is a dead letter to the queue again, with a fresh count of attempts.
-- Its earlier attempts are kept apart, so that the new ones can count from 1.
-- KEYS  1 dead letters   2 delivery   3 queue stream webhooks   4 event body   5 dead deliveries of the event
-- ARGV  1 dead letter (entry id)   2 delivery record, relative to the partition   3 now (ms)   4 retention (s)
-- Returns 'replayed' | 'missing' (somebody else has dealt with it) | 'gone' (its record is)
-- uses: enqueue dead-letter
local obstacle = letter_obstacle(KEYS[1], ARGV[1], KEYS[2], 'send')
if obstacle then return obstacle end
take_letter(KEYS[1], ARGV[1], KEYS[2], 'send')
let_body_go(KEYS[4], KEYS[5], ARGV[2], ARGV[4])

local replays = redis.call('HINCRBY', KEYS[2], 'replays', 1)
for _, name in ipairs(redis.call('HKEYS', KEYS[2])) do
  local number = string.match(name, '^attempt:(%d+)$')
  if number then
    redis.call('HSET', KEYS[2], 'past:' .. replays .. ':' .. number, redis.call('HGET', KEYS[2], name))
    redis.call('HDEL', KEYS[2], name)
  end
end
redis.call('HSET', KEYS[2], 'status', 'pending', 'next_at', ARGV[3], 'send:attempts', 0)
enqueue(KEYS[3], KEYS[2], ARGV[2], 'send')
return 'replayed'
