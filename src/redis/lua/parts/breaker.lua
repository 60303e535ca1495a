-- breaker: an endpoint that keeps failing is left alone, but for one probe at a time, until it answers again. What its
-- webhook remembers: failures (attempts that failed in a row), failing_since, burst (those of them that came close together),
-- burst_since, and while the breaker is open opened_at, probe_wait, probe_at and probe (the delivery that was let through). `reset` counts how often a change of the webhook
-- began all that anew: what an attempt to the old address came to says nothing about the new one.
-- A webhook that has an open breaker or parked deliveries is in the index of its partition, scored with when to look at
-- it next; 'inf' where only a delivery that comes due can change anything.
local function close_breaker(webhook, index, parked, name)
  redis.call('HDEL', webhook, 'failures', 'failing_since', 'burst', 'burst_since', 'opened_at', 'probe_wait', 'probe_at',
    'probe')
  if redis.call('EXISTS', parked) == 1 then redis.call('ZADD', index, 0, name)
  else redis.call('ZREM', index, name) end
end

-- `park_limit` (ms): the oldest of what is parked may have to be given up before the next probe.
local function probe_later(webhook, index, parked, name, now, wait, jitter, park_limit)
  local at = string.format('%.0f', now + wait * jitter)
  redis.call('HSET', webhook, 'probe_wait', wait, 'probe_at', at)
  local since = redis.call('ZRANGE', parked, 0, 0, 'WITHSCORES')[2]
  redis.call('ZADD', index, since and math.min(at, since + park_limit) or 'inf', name)
end

-- Counts a failure among those that came close together. Answers how many these are, and how long they have come (ms).
local function count_in_burst(webhook, now, within)
  local burst = redis.call('HMGET', webhook, 'burst', 'burst_since')
  local count, since = tonumber(burst[1] or '0') + 1, tonumber(burst[2] or now)
  if now - since > within then count, since = 1, now end
  redis.call('HSET', webhook, 'burst', count, 'burst_since', since)
  return count, now - since
end

-- What an attempt says about its endpoint. `rules` is: failures, over so many ms, within so many, first wait, longest wait
-- (ms), jitter, park limit (ms).
-- Answers 'opened' or 'closed' where the breaker turned, else nil.
local function judge_endpoint(webhook, index, parked, name, delivery, reset, delivered, now, rules)
  local facts = redis.call('HMGET', webhook, 'url', 'reset', 'failures', 'failing_since', 'opened_at', 'probe', 'probe_wait')
  if not facts[1] or (facts[2] or '0') ~= reset then return nil end
  if delivered then
    if not facts[3] then return nil end
    close_breaker(webhook, index, parked, name)
    return facts[5] and 'closed'
  end
  redis.call('HINCRBY', webhook, 'failures', 1)
  if facts[5] then
    if facts[6] == delivery then
      redis.call('HDEL', webhook, 'probe')
      local wait = math.min(2 * tonumber(facts[7]), tonumber(rules[5]))
      probe_later(webhook, index, parked, name, now, wait, rules[6], rules[7])
    end
    return nil
  end
  if not facts[4] then redis.call('HSET', webhook, 'failing_since', now) end
  local count, ms = count_in_burst(webhook, now, tonumber(rules[3]))
  if count < tonumber(rules[1]) or ms < tonumber(rules[2]) then return nil end
  redis.call('HSET', webhook, 'opened_at', now)
  probe_later(webhook, index, parked, name, now, rules[4], rules[6], rules[7])
  return 'opened'
end
