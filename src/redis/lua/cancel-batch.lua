-- cancel-batch: take a batch back that no worker has begun.
-- KEYS  1 idempotency   2 batch   3 batches by status   4 active batches   5 credits   6 operations   7 job
--       8 queue
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 batch id   5 now (ms)   6 job record, relative to the partition   7 retention (s)   8 channel of finished jobs   9 job id
-- Returns {'cancelled'} | {'replayed', response} | {'key_reused'} | {'not_found'} | {'invalid_state'}
-- uses: idempotency enqueue credits batch-status
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
local status = redis.call('HGET', KEYS[2], 'status')
if not status then return { 'not_found' } end
-- The job tells first: between its claim and the batch's start, the batch still reads as queued.
if status ~= 'queued' or redis.call('HGET', KEYS[7], 'main:state') ~= 'queued' then return { 'invalid_state' } end
withdraw(KEYS[8], ARGV[6], 'main')
close_record(KEYS[7])
set_batch_status(KEYS[2], KEYS[3], ARGV[4], 'cancelled')
close_batch(KEYS[2], KEYS[4], KEYS[5], KEYS[6], ARGV[4], ARGV[5])
redis.call('HSET', KEYS[7], 'status', 'cancelled', 'main:state', 'cancelled', 'main:entry', '', 'finished_at', ARGV[5])
redis.call('EXPIRE', KEYS[7], ARGV[7])
redis.call('PUBLISH', ARGV[8], ARGV[9])
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'cancelled' }
