-- put-off: let a lane wait for its next attempt in a sorted set, not in the pending list.
local function put_off(stream, retries, record, group, entry, lane, due, member, error)
  release(stream, group, entry)
  redis.call('ZADD', retries, due, member)
  redis.call('HSET', record, lane .. ':entry', '', lane .. ':state', 'retrying', 'status', 'retrying')
  -- Once a lane has failed for good, its error is the one that the job will end with.
  for other in string.gmatch(redis.call('HGET', record, 'lanes') or '', '%S+') do
    if redis.call('HGET', record, other .. ':state') == 'failed' then return end
  end
  redis.call('HSET', record, 'error', error)
end
