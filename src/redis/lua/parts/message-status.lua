-- message-status: move a message to a status and keep its two indexes in step. `by_subject` is the index of its pass or
-- template.
local function set_message_status(message, messages, by_subject, id, to)
  local facts = redis.call('HMGET', message, 'status', 'created_at')
  if facts[1] == to then return end
  redis.call('HSET', message, 'status', to)
  for _, index in ipairs({ messages, by_subject }) do
    if facts[1] then redis.call('ZREM', index .. ':status:' .. facts[1], id) end
    redis.call('ZADD', index .. ':status:' .. to, facts[2], id)
  end
end
