-- change-pass: accept an update or the revocation of a pass. Claims the idempotency key, keeps the old version, and
-- writes pass, indexes, job, event and queue entries; or writes nothing at all.
-- KEYS  1 idempotency   2 pass   3 versions   4 passes by status   5 passes by template
--       6 key prefix of the tenant's jobs   7 queue interactive   8 queue bulk
--       9 events   10 events by type   11 event counts   12 webhooks of the event's type   13 event body   14 outbox
--       15 passes by the template that the pass had until now   16 credits
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 pass id   5 revision that the caller read   6 update | revoke   7 now (ms)   8 wallets, separated by spaces
--       9 job id   10 jobs, relative to the partition   11 the version to keep (JSON, '' = none)
--       12 event type   13 packed event   14 event id   15 webhook body   16 event body retention (s)
--       17 tenant id   18 job retention (s)   19 channel of finished jobs
--       20 month (yyyymm)   21 number of pass fields, then these (name, value, …), then the job's fields
-- Returns {'accepted'} | {'replayed', response} | {'key_reused'} | {'not_found'} | {'invalid_state'}
--         | {'outdated'} (somebody else changed the pass since it was read)
--         | {'insufficient_credits', what is left} | {'contract_cap_reached', what is left}
-- uses: idempotency credits enqueue record-event announce settle-job pass-lanes pass-status list-job mark-changed
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end

local pass = redis.call('HMGET', KEYS[2], 'revision', 'status', 'created_at', 'charge')
if not pass[1] then return { 'not_found' } end
if pass[2] == 'revoking' or pass[2] == 'revoked' then return { 'invalid_state' } end
if pass[1] ~= ARGV[5] then return { 'outdated' } end

-- A pass that failed at every wallet gave its credit back. The attempt to bring it to life again takes one again.
if not pass[4] and ARGV[6] == 'update' then
  local charge, refusal, left = take_credits(KEYS[16], ARGV[20], 1, 'charged', ARGV[4])
  if refusal then return { refusal, left } end
  redis.call('HSET', KEYS[2], 'charge', charge)
end

if ARGV[11] ~= '' then redis.call('RPUSH', KEYS[3], ARGV[11]) end
local last_pass_field = 21 + tonumber(ARGV[21])
-- What the first answer said: as long as nothing else came, `job` and `wallets` say it.
local was = redis.call('HMGET', KEYS[2], 'job', 'wallets')
redis.call('HSETNX', KEYS[2], 'created_job', was[1])
if was[2] ~= ARGV[8] then redis.call('HSETNX', KEYS[2], 'created_wallets', was[2]) end
redis.call('HINCRBY', KEYS[2], 'revision', 1)
redis.call('HSET', KEYS[2], 'wallets', ARGV[8], unpack(ARGV, 22, last_pass_field))
mark_changed(KEYS[2], ARGV[7])
local to = ARGV[6] == 'revoke' and 'revoking' or 'updating'
set_pass_status(KEYS[2], KEYS[4], KEYS[5], ARGV[4], pass[2], to, pass[3])
if KEYS[15] ~= KEYS[5] and redis.call('ZREM', KEYS[15], ARGV[4]) == 1 then
  redis.call('ZADD', KEYS[5], pass[3], ARGV[4])
end

local job = KEYS[6] .. ARGV[9]
redis.call('HSET', job, 'lanes', ARGV[8], unpack(ARGV, last_pass_field + 1))
list_job(job, ARGV[7])
local place = {
  pass = KEYS[2], jobs = KEYS[6], record = ARGV[10],
  queues = { interactive = KEYS[7], bulk = KEYS[8] },
  now = ARGV[7], retention = ARGV[18], channel = ARGV[19],
}
for wallet in string.gmatch(ARGV[8], '%S+') do open_lane(place, wallet, ARGV[9]) end

record_event(KEYS[9], KEYS[10], KEYS[11], ARGV[12], ARGV[7], ARGV[13])
announce(KEYS[12], KEYS[13], KEYS[14], ARGV[17], ARGV[14], ARGV[12], ARGV[15], ARGV[16])
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'accepted' }
