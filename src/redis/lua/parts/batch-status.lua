-- batch-status: move a batch to a status and keep the index in step.
local function set_batch_status(batch, by_status, id, to)
  local facts = redis.call('HMGET', batch, 'status', 'created_at')
  redis.call('HSET', batch, 'status', to)
  redis.call('ZREM', by_status .. ':' .. facts[1], id)
  redis.call('ZADD', by_status .. ':' .. to, facts[2], id)
end

-- What was reserved and not used goes back, and the batch no longer counts as active.
local function close_batch(batch, active, credits, operations, id, now)
  local facts = redis.call('HMGET', batch, 'reserved', 'charge')
  local unused = tonumber(facts[1])
  if unused > 0 then give_credits_back(credits, facts[2], unused, 'released', id) end
  redis.call('HSET', batch, 'reserved', 0, 'finished_at', now)
  redis.call('SREM', active, id)
  redis.call('UNLINK', operations)
end
