-- finish-batch: close a batch whose operations are all carried out.
-- KEYS  1 queue   2 job   3 batch   4 batches by status   5 active batches   6 credits   7 operations
--       8 errors   9 events   10 events batch.completed   11 event counts   12 webhooks of batch.completed   13 outbox
-- ARGV  1 group   2 entry id (the lease)   3 batch id   4 job id   5 now (ms)   6 retention (s)
--       7 channel of finished jobs   8 packed event   9 tenant id   10 event id
-- Returns 'finished' | 'lost' (another worker has it)
-- uses: release record-event credits settle-job batch-status announce-later
if redis.call('HGET', KEYS[2], 'main:entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
set_batch_status(KEYS[3], KEYS[4], ARGV[3], 'completed')
close_batch(KEYS[3], KEYS[5], KEYS[6], KEYS[7], ARGV[3], ARGV[5])
record_event(KEYS[9], KEYS[10], KEYS[11], 'batch.completed', ARGV[5], ARGV[8])
announce_later(KEYS[12], KEYS[13], ARGV[9], ARGV[10], 'batch.completed', 'batch', ARGV[3], ARGV[5])
settle_lane(KEYS[2], 'main', 'done', ARGV[5], ARGV[6], ARGV[7], ARGV[4])
redis.call('HSET', KEYS[2], 'done', redis.call('HGET', KEYS[2], 'total'))
return 'finished'
