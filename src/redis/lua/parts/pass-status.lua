-- pass-status: move a pass to a status and keep the indexes in step.
local function set_pass_status(pass, by_status, by_template, id, from, to, created_at)
  if from == to then return end
  redis.call('HSET', pass, 'status', to)
  redis.call('ZREM', by_status .. ':' .. from, id)
  redis.call('ZADD', by_status .. ':' .. to, created_at, id)
  -- What a broadcast reaches: active passes, and those that are active but for a change under way.
  if to == 'active' or to == 'updating' then
    redis.call('ZADD', by_template, created_at, id)
  else
    redis.call('ZREM', by_template, id)
  end
end
