-- delay: let one lane of a record wait until its next attempt is due, in QUEUE:delayed and not in the pending list.
local function delay(queue, record, lane, due) redis.call('ZADD', queue .. ':delayed', due, record .. ' ' .. lane) end

-- Takes back what waits so; answers when it was due, where it waited.
local function undelay(queue, record, lane)
  local member = record .. ' ' .. lane
  local due = redis.call('ZSCORE', queue .. ':delayed', member)
  redis.call('ZREM', queue .. ':delayed', member)
  return due
end
