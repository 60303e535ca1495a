-- create-pass: accept a new pass. Claims the idempotency key, takes the credit, and writes pass, indexes, job,
-- event and queue entries; or writes nothing at all.
-- KEYS  1 idempotency   2 external refs   3 credits   4 pass   5 passes   6 passes by status   7 page
--       8 job   9 queue stream   10 events   11 events by type   12 event counts
--       13 webhooks of pass.created   14 event body   15 outbox
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 external ref   5 pass id   6 fingerprint of the pass   7 tenant id   8 now (ms)   9 month (yyyymm)
--       10 wallets, separated by spaces   11 job record, relative to the partition   12 packed event
--       13 event id   14 webhook body   15 event body retention (s)
--       16 number of pass fields, then these (name, value, …), then the job's fields
-- Returns {'created'} | {'replayed', response} | {'key_reused'} | {'repeated', pass id}
--         | {'duplicate_external_ref'} | {'insufficient_credits'} | {'contract_cap_reached'}
-- uses: idempotency enqueue record-event
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

local credits = redis.call('HMGET', KEYS[3], 'mode', 'balance', 'cap', 'used:' .. ARGV[9])
local charge
if credits[1] == 'contract' then
  if tonumber(credits[4] or '0') >= tonumber(credits[3]) then return { 'contract_cap_reached' } end
  charge = 'used:' .. ARGV[9]
  redis.call('HINCRBY', KEYS[3], charge, 1)
else
  if tonumber(credits[2] or '0') < 1 then return { 'insufficient_credits' } end
  charge = 'balance'
  redis.call('HINCRBY', KEYS[3], charge, -1)
end

local last_pass_field = 16 + tonumber(ARGV[16])
redis.call('HSET', KEYS[4], 'charge', charge, unpack(ARGV, 17, last_pass_field))
redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[5], ARGV[8], ARGV[5])
redis.call('ZADD', KEYS[6] .. ':pending', ARGV[8], ARGV[5])
redis.call('SET', KEYS[7], ARGV[7] .. ' ' .. ARGV[5])

redis.call('HSET', KEYS[8], 'lanes', ARGV[10], unpack(ARGV, last_pass_field + 1))
for wallet in string.gmatch(ARGV[10], '%S+') do
  enqueue(KEYS[9], KEYS[8], ARGV[11], wallet)
end

record_event(KEYS[10], KEYS[11], KEYS[12], 'pass.created', ARGV[8], ARGV[12])
if redis.call('SCARD', KEYS[13]) > 0 then
  redis.call('SET', KEYS[14], ARGV[14], 'EX', ARGV[15])
  redis.call('XADD', KEYS[15], '*', 't', ARGV[7], 'e', ARGV[13], 'y', 'pass.created')
end
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'created' }
