-- put-off: let a lane of a job whose attempt failed wait for the next one. `job` is its key, `record` how queues name it.
-- uses: release delay
local function put_off(queue, job, record, lane, group, entry, due, error)
  release(queue, group, entry)
  delay(queue, record, lane, due)
  redis.call('HSET', job, lane .. ':entry', '', lane .. ':state', 'retrying', 'status', 'retrying')
  redis.call('HDEL', job, lane .. ':lined')
  -- Once a lane has failed for good, its error is the one that the job will end with.
  for other in string.gmatch(redis.call('HGET', job, 'lanes') or '', '%S+') do
    if redis.call('HGET', job, other .. ':state') == 'failed' then return end
  end
  redis.call('HSET', job, 'error', error)
end
