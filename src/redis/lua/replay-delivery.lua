-- replay-delivery: give a delivery that is a dead letter to the queue again, with a fresh count of attempts.
-- KEYS  1 dead letters   2 delivery   3 queue webhooks   4 event body   5 dead deliveries of the event
-- ARGV  1 dead letter (entry id)   2 delivery record, relative to the partition   3 now (ms)   4 retention (s)
-- Returns 'replayed' | 'missing' (somebody else has dealt with it) | 'gone' (its record is)
-- uses: enqueue dead-letter begin-again
local obstacle = letter_obstacle(KEYS[1], ARGV[1], KEYS[2], 'send')
if obstacle then return obstacle end
take_letter(KEYS[1], ARGV[1], KEYS[2], 'send')
let_body_go(KEYS[4], KEYS[5], ARGV[2], ARGV[4])
begin_again(KEYS[2], ARGV[3])
enqueue(KEYS[3], KEYS[2], ARGV[2], 'send')
return 'replayed'
