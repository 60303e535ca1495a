-- replay-message: give a wallet's part of a message that is a dead letter to the queue again. The message is pending
-- until its job ends anew.
-- KEYS  1 dead letters   2 job   3 message   4 messages   5 messages of the pass or template   6 queue
--       7 count of the replay task in this partition
-- ARGV  1 dead letter (entry id)   2 lane   3 job record, relative to the partition   4 message id   5 now (ms)
--       6 retention (s)   7 replay task   8 its fence   9 how often it may have been replayed before ('' = however often)
-- Returns 'replayed' | 'missing' (somebody else has dealt with it) | 'record_gone' | 'replay_limit'
--         | 'lost' (somebody else drives the task) | 'counted' (this step was made before)
-- uses: enqueue message-status dead-letter replay-step
local letter, lane = ARGV[1], ARGV[2]
local step = step_obstacle(KEYS[7], ARGV[8], letter)
if step then return step end

local function obstacle()
  local found = letter_obstacle(KEYS[1], letter, KEYS[2], lane)
  if found then return found end
  if is_worn_out(KEYS[2], lane, ARGV[9]) then return 'replay_limit' end
  return nil
end
local outcome = obstacle() or 'replayed'
if outcome == 'replayed' then
  take_letter(KEYS[1], letter, KEYS[2], lane)
  remember_letter(letter, KEYS[2], lane, ARGV[5], ARGV[7])
  reopen_job(KEYS[2], lane)
  if redis.call('EXISTS', KEYS[3]) == 1 then
    set_message_status(KEYS[3], KEYS[4], KEYS[5], ARGV[4], 'pending')
  end
  enqueue(KEYS[6], KEYS[2], ARGV[3], lane)
end
return count_step(KEYS[7], letter, outcome, ARGV[6])
