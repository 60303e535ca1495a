-- create-batch: accept a batch. Reserves a credit for each pass that it will create, and writes batch, indexes, job and
-- queue entry; or writes nothing at all.
-- KEYS  1 idempotency   2 batch   3 operations   4 batches   5 batches by status   6 active batches   7 credits
--       8 job   9 queue
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 batch id   5 now (ms)   6 month (yyyymm)   7 passes to be created   8 most active batches
--       9 job record, relative to the partition   10 operations (JSON array of JSON texts)
--       11 number of batch fields, then these (name, value, …), then the job's fields
-- Returns {'created'} | {'replayed', response} | {'key_reused'} | {'too_many'}
--         | {'insufficient_credits', what is left} | {'contract_cap_reached', what is left}
-- uses: idempotency enqueue credits list-job
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
if redis.call('SCARD', KEYS[6]) >= tonumber(ARGV[8]) then return { 'too_many' } end

local reserved = tonumber(ARGV[7])
local charge, refusal, left = take_credits(KEYS[7], ARGV[6], reserved, 'reserved', ARGV[4])
if refusal then return { refusal, left } end

local last_batch_field = 11 + tonumber(ARGV[11])
redis.call('HSET', KEYS[2], 'charge', charge, 'reserved', reserved, unpack(ARGV, 12, last_batch_field))
-- In the order given; pushed one by one, since a script's stack holds only some thousands of arguments.
for _, operation in ipairs(cjson.decode(ARGV[10])) do redis.call('RPUSH', KEYS[3], operation) end
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
redis.call('ZADD', KEYS[5] .. ':queued', ARGV[5], ARGV[4])
redis.call('SADD', KEYS[6], ARGV[4])
redis.call('HSET', KEYS[8], 'lanes', 'main', unpack(ARGV, last_batch_field + 1))
list_job(KEYS[8], ARGV[5])
enqueue(KEYS[9], KEYS[8], ARGV[9], 'main')
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'created' }
