-- delay: let one lane of a record wait until its next attempt is due, in QUEUE:delayed and not in the pending list.
local function delay(queue, record, lane, due) redis.call('ZADD', queue .. ':delayed', due, record .. ' ' .. lane) end

-- Takes back what waits so.
local function undelay(queue, record, lane) redis.call('ZREM', queue .. ':delayed', record .. ' ' .. lane) end
