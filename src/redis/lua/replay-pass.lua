-- replay-pass: give a wallet's part of a pass operation that is a dead letter to the queue again. Where the pass has
-- been changed since, or is gone, there is nothing left to do, and the lane ends as any that is overtaken.
-- A pass that failed at every wallet gave its credit back; the attempt to bring it to life takes one again.
-- KEYS  1 dead letters   2 job   3 pass   4 passes by status   5 passes by template   6 credits
--       7 key prefix of the tenant's jobs   8 queue interactive   9 queue bulk
--       10 count of the replay task in this partition
-- ARGV  1 dead letter (entry id)   2 wallet   3 jobs, relative to the partition   4 job id   5 pass id   6 now (ms)
--       7 job retention (s)   8 channel of finished jobs   9 month (yyyymm)
--       10 replay task   11 its fence   12 how often it may have been replayed before ('' = however often)
-- Returns 'replayed' | 'overtaken' | 'missing' (somebody else has dealt with it) | 'record_gone' | 'replay_limit'
--         | 'insufficient_credits' | 'contract_cap_reached'
--         | 'lost' (somebody else drives the task) | 'counted' (this step was made before)
-- uses: enqueue credits settle-job pass-lanes pass-status dead-letter replay-step
local letter, lane = ARGV[1], ARGV[2]
local step = step_obstacle(KEYS[10], ARGV[11], letter)
if step then return step end
local function done(outcome) return count_step(KEYS[10], letter, outcome, ARGV[7]) end

local obstacle = letter_obstacle(KEYS[1], letter, KEYS[2], lane)
if obstacle then return done(obstacle) end

local job = redis.call('HMGET', KEYS[2], 'revision', 'type')
local pass = redis.call('HMGET', KEYS[3], 'revision', 'status', 'created_at', 'charge')
if not pass[1] or tonumber(pass[1]) > tonumber(job[1]) then
  take_letter(KEYS[1], letter, KEYS[2], lane)
  reopen_job(KEYS[2], lane)
  settle_lane(KEYS[2], lane, 'done', ARGV[6], ARGV[7], ARGV[8], ARGV[4])
  return done('overtaken')
end
if is_worn_out(KEYS[2], lane, ARGV[12]) then return done('replay_limit') end

if not pass[4] and job[2] ~= 'pass.revoke' then
  local charge, refusal = take_credits(KEYS[6], ARGV[9], 1, 'charged', ARGV[5])
  if refusal then return done(refusal) end
  redis.call('HSET', KEYS[3], 'charge', charge)
end
take_letter(KEYS[1], letter, KEYS[2], lane)
remember_letter(letter, KEYS[2], lane, ARGV[6], ARGV[10])
reopen_job(KEYS[2], lane)
if pass[2] == 'failed' then
  local to = job[2] == 'pass.create' and 'pending' or 'updating'
  set_pass_status(KEYS[3], KEYS[4], KEYS[5], ARGV[5], 'failed', to, pass[3])
end
redis.call('HSET', KEYS[3], lane, 'queued', lane .. ':at', ARGV[6])
open_lane({
  pass = KEYS[3], jobs = KEYS[7], record = ARGV[3],
  queues = { interactive = KEYS[8], bulk = KEYS[9] },
  now = ARGV[6], retention = ARGV[7], channel = ARGV[8],
}, lane, ARGV[4])
return done('replayed')
