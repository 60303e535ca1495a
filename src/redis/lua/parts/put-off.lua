-- put-off: let a lane wait for its next attempt in a sorted set, not in the pending list.
local function put_off(stream, retries, record, group, entry, lane, due, member, error)
  release(stream, group, entry)
  redis.call('ZADD', retries, due, member)
  redis.call('HSET', record, lane .. ':entry', '', lane .. ':state', 'retrying', 'status', 'retrying', 'error', error)
end
