-- replay-delivery: give a delivery that is a dead letter to the queue again, with a fresh count of attempts. It stays where
-- it could only die again.
-- KEYS  1 dead letters   2 delivery   3 queue webhooks   4 event body   5 dead deliveries of the event
--       6 webhook   7 count of the replay task in this partition
-- ARGV  1 dead letter (entry id)   2 delivery record, relative to the partition   3 now (ms)   4 retention (s)
--       5 replay task   6 its fence   7 how often it may have been replayed before ('' = however often)
-- Returns 'replayed' | 'missing' (somebody else has dealt with it) | 'record_gone' | 'replay_limit'
--         | 'webhook_deleted' | 'webhook_inactive' | 'event_expired'
--         | 'lost' (somebody else drives the task) | 'counted' (this step was made before)
-- uses: enqueue dead-letter begin-again replay-step
local letter = ARGV[1]
local step = step_obstacle(KEYS[7], ARGV[6], letter)
if step then return step end

local function obstacle()
  local found = letter_obstacle(KEYS[1], letter, KEYS[2], 'send')
  if found then return found end
  local active = redis.call('HGET', KEYS[6], 'is_active')
  if not active then return 'webhook_deleted' end
  if active ~= '1' then return 'webhook_inactive' end
  if redis.call('EXISTS', KEYS[4]) == 0 then return 'event_expired' end
  if is_worn_out(KEYS[2], 'send', ARGV[7]) then return 'replay_limit' end
  return nil
end
local outcome = obstacle() or 'replayed'
if outcome == 'replayed' then
  take_letter(KEYS[1], letter, KEYS[2], 'send')
  let_body_go(KEYS[4], KEYS[5], ARGV[2], ARGV[4])
  remember_letter(letter, KEYS[2], 'send', ARGV[3], ARGV[5])
  begin_again(KEYS[2], ARGV[3], false)
  enqueue(KEYS[3], KEYS[2], ARGV[2], 'send')
end
return count_step(KEYS[7], letter, outcome, ARGV[4])
