-- replay-message: give a wallet's part of a message that is a dead letter to the queue again. The message is pending
-- until its job ends anew.
-- KEYS  1 dead letters   2 job   3 message   4 messages   5 messages of the pass or template   6 queue
-- ARGV  1 dead letter (entry id)   2 lane   3 job record, relative to the partition   4 message id
-- Returns 'replayed' | 'missing' (somebody else has dealt with it) | 'gone' (its record is)
-- uses: enqueue message-status dead-letter
local obstacle = letter_obstacle(KEYS[1], ARGV[1], KEYS[2], ARGV[2])
if obstacle then return obstacle end
take_letter(KEYS[1], ARGV[1], KEYS[2], ARGV[2])
reopen_job(KEYS[2], ARGV[2])
if redis.call('EXISTS', KEYS[3]) == 1 then
  set_message_status(KEYS[3], KEYS[4], KEYS[5], ARGV[4], 'pending')
end
enqueue(KEYS[6], KEYS[2], ARGV[3], ARGV[2])
return 'replayed'
