-- cancel-batch: take a batch back that no worker has begun.
-- KEYS  1 idempotency   2 batch   3 batches by status   4 active batches   5 credits   6 operations   7 job
--       8 queue stream
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 batch id   5 now (ms)   6 group   7 retention (s)   8 channel of finished jobs   9 job id
-- Returns {'cancelled'} | {'replayed', response} | {'key_reused'} | {'not_found'} | {'invalid_state'}
-- uses: idempotency release credits batch-status
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
local status = redis.call('HGET', KEYS[2], 'status')
if not status then return { 'not_found' } end
-- The job tells first: between its claim and the batch's start, the batch still reads as queued.
local lane = redis.call('HMGET', KEYS[7], 'main:state', 'main:entry')
if status ~= 'queued' or lane[1] ~= 'queued' then return { 'invalid_state' } end
release(KEYS[8], ARGV[6], lane[2])
set_batch_status(KEYS[2], KEYS[3], ARGV[4], 'cancelled')
close_batch(KEYS[2], KEYS[4], KEYS[5], KEYS[6], ARGV[4], ARGV[5])
redis.call('HSET', KEYS[7], 'status', 'cancelled', 'main:state', 'cancelled', 'main:entry', '', 'finished_at', ARGV[5])
redis.call('EXPIRE', KEYS[7], ARGV[7])
redis.call('PUBLISH', ARGV[8], ARGV[9])
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'cancelled' }
