-- enqueue: put one lane of a record on its stream. The entry's id becomes the lane's lease: whoever holds an
-- older one cannot settle the lane any more.
local function enqueue(stream, record_key, record, lane)
  local entry = redis.call('XADD', stream, '*', 'r', record, 'l', lane)
  redis.call('HSET', record_key, lane .. ':entry', entry, lane .. ':state', 'queued')
  return entry
end
