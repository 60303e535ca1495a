-- create-pass: accept a new pass. Claims the idempotency key, takes the credit, and writes pass, indexes, job,
-- event and queue entries; or writes nothing at all.
-- KEYS  1 idempotency   2 external refs   3 credits   4 pass   5 passes   6 passes by status   7 page
--       8 job   9 queue   10 events   11 events by type   12 event counts
--       13 webhooks of pass.created   14 event body   15 outbox   16 batch that reserved the credit (or credits again)
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 external ref   5 pass id   6 fingerprint of the pass   7 tenant id   8 now (ms)   9 month (yyyymm)
--       10 wallets, separated by spaces   11 job record, relative to the partition   12 packed event
--       13 event id   14 webhook body   15 event body retention (s)   16 job id   17 '1' = the credit is reserved
--       18 whose page it is   19 number of pass fields, then these (name, value, …), then the job's fields
-- Returns {'created'} | {'replayed', response} | {'key_reused'} | {'repeated', pass id}
--         | {'duplicate_external_ref'} | {'insufficient_credits', what is left} | {'contract_cap_reached', what is left}
-- uses: idempotency enqueue record-event announce credits list-job
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end

local taken = redis.call('HGET', KEYS[2], ARGV[4])
if taken then
  local key = string.sub(KEYS[4], 1, -1 - #ARGV[5]) .. taken
  local facts = redis.call('HMGET', key, 'fingerprint', 'status')
  if facts[1] == ARGV[6] and facts[2] ~= 'revoking' and facts[2] ~= 'revoked' then
    return { 'repeated', taken }
  end
  return { 'duplicate_external_ref' }
end

local charge
local reservation = ARGV[17] == '1' and redis.call('HMGET', KEYS[16], 'reserved', 'charge')
if reservation and tonumber(reservation[1] or '0') > 0 then
  charge = reservation[2]
  redis.call('HINCRBY', KEYS[16], 'reserved', -1)
else
  -- Also for a worker that has lost its batch and is late: what was reserved is used up then, or was given back.
  local refusal, left
  charge, refusal, left = take_credits(KEYS[3], ARGV[9], 1, 'charged', ARGV[5])
  if refusal then return { refusal, left } end
end

local last_pass_field = 19 + tonumber(ARGV[19])
redis.call('HSET', KEYS[4], 'charge', charge, 'wallets', ARGV[10], unpack(ARGV, 20, last_pass_field))
redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[5], ARGV[8], ARGV[5])
redis.call('ZADD', KEYS[6] .. ':pending', ARGV[8], ARGV[5])
redis.call('SET', KEYS[7], ARGV[18])

redis.call('HSET', KEYS[8], 'lanes', ARGV[10], unpack(ARGV, last_pass_field + 1))
list_job(KEYS[8], ARGV[8])
for wallet in string.gmatch(ARGV[10], '%S+') do
  enqueue(KEYS[9], KEYS[8], ARGV[11], wallet)
  redis.call('HSET', KEYS[4], wallet .. ':job', ARGV[16])
end

record_event(KEYS[10], KEYS[11], KEYS[12], 'pass.created', ARGV[8], ARGV[12])
announce(KEYS[13], KEYS[14], KEYS[15], ARGV[7], ARGV[13], 'pass.created', ARGV[14], ARGV[15])
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'created' }
