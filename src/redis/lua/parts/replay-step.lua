-- replay-step: a letter of a replay task is dealt with and counted in one step, so that no crash can do the one without
-- the other. The count lies beside the letters, one for each partition: `fence` (of whoever drives the task), `cursor` (the
-- letter dealt with last; a task goes through a partition in the order of the letters), `replayed`, `overtaken`, `missing`,
-- `refused:REASON`, and of the first refused letters `no:LETTER` = reason.
local function is_behind(letter, cursor)
  local ms, count = string.match(letter, '^(%d+)-(%d+)$')
  local cursor_ms, cursor_count = string.match(cursor, '^(%d+)-(%d+)$')
  if ms ~= cursor_ms then return tonumber(ms) < tonumber(cursor_ms) end
  return tonumber(count) <= tonumber(cursor_count)
end

-- 'lost': somebody else drives the task now. 'counted': this step was made already, and the answer did not arrive.
local function step_obstacle(count, fence, letter)
  local facts = redis.call('HMGET', count, 'fence', 'cursor')
  if facts[1] ~= fence then return 'lost' end
  if facts[2] and is_behind(letter, facts[2]) then return 'counted' end
  return nil
end

local refused_shown = 100

local function count_step(count, letter, outcome, retention)
  if outcome == 'replayed' or outcome == 'overtaken' or outcome == 'missing' then
    redis.call('HINCRBY', count, outcome, 1)
  else
    redis.call('HINCRBY', count, 'refused:' .. outcome, 1)
    if redis.call('HINCRBY', count, 'refused', 1) <= refused_shown then
      redis.call('HSET', count, 'no:' .. letter, outcome)
    end
  end
  redis.call('HSET', count, 'cursor', letter)
  redis.call('EXPIRE', count, retention)
  return outcome
end
