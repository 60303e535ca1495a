-- start-batch: begin to work a batch off, or go on where an earlier attempt ended.
-- KEYS  1 job   2 batch   3 batches by status
-- ARGV  1 entry id (the lease)   2 batch id   3 now (ms)
-- Returns the index of the next operation | 'lost' (another worker has it)
-- uses: batch-status
if redis.call('HGET', KEYS[1], 'main:entry') ~= ARGV[1] then return 'lost' end
if redis.call('HGET', KEYS[2], 'status') == 'queued' then
  set_batch_status(KEYS[2], KEYS[3], ARGV[2], 'processing')
  redis.call('HSET', KEYS[2], 'started_at', ARGV[3])
end
return tonumber(redis.call('HGET', KEYS[2], 'next'))
