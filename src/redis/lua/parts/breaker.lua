-- breaker: an endpoint that keeps failing is left alone, but for one probe at a time, until it answers again. What its
-- webhook remembers: failures (attempts that failed in a row), failing_since, and while the breaker is open opened_at,
-- probe_wait, probe_at and probe (the delivery that was let through). `reset` counts how often a change of the webhook
-- began all that anew: what an attempt to the old address came to says nothing about the new one.
-- A webhook that has an open breaker or parked deliveries is in the index of its partition, scored with when to look at
-- it next; 'inf' where only a delivery that comes due can change anything.
local function close_breaker(webhook, index, parked, name)
  redis.call('HDEL', webhook, 'failures', 'failing_since', 'opened_at', 'probe_wait', 'probe_at', 'probe')
  if redis.call('EXISTS', parked) == 1 then redis.call('ZADD', index, 0, name)
  else redis.call('ZREM', index, name) end
end

local function probe_later(webhook, index, parked, name, now, wait, jitter)
  local at = string.format('%.0f', now + wait * jitter)
  redis.call('HSET', webhook, 'probe_wait', wait, 'probe_at', at)
  redis.call('ZADD', index, redis.call('EXISTS', parked) == 1 and at or 'inf', name)
end

-- What an attempt says about its endpoint. `rules` is: failures, over so many ms, first wait, longest wait (ms), jitter.
-- Answers 'opened' or 'closed' where the breaker turned, else nil.
local function judge_endpoint(webhook, index, parked, name, delivery, reset, delivered, now, rules)
  local facts = redis.call('HMGET', webhook, 'url', 'reset', 'failures', 'failing_since', 'opened_at', 'probe', 'probe_wait')
  if not facts[1] or (facts[2] or '0') ~= reset then return nil end
  if delivered then
    if not facts[3] then return nil end
    close_breaker(webhook, index, parked, name)
    return facts[5] and 'closed'
  end
  local failures = redis.call('HINCRBY', webhook, 'failures', 1)
  if facts[5] then
    if facts[6] == delivery then
      redis.call('HDEL', webhook, 'probe')
      local wait = math.min(2 * tonumber(facts[7]), tonumber(rules[4]))
      probe_later(webhook, index, parked, name, now, wait, rules[5])
    end
  elseif not facts[4] then
    redis.call('HSET', webhook, 'failing_since', now)
  elseif failures >= tonumber(rules[1]) and now - facts[4] >= tonumber(rules[2]) then
    redis.call('HSET', webhook, 'opened_at', now)
    probe_later(webhook, index, parked, name, now, rules[3], rules[5])
    return 'opened'
  end
  return nil
end
