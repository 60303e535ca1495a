-- mark-changed: a pass is to be fetched again by the devices that have it. `change` numbers such changes within the tenant:
-- devices ask for what is behind the last they know of. `modified` is for conditional requests, whose times have whole
-- seconds: two changes within one second must differ, so it may run ahead of the clock.
local function mark_changed(pass, now)
  local counter = string.gsub(pass, 'pass:[^:]+$', 'changes')
  local known = redis.call('HMGET', pass, 'modified', 'created_at')
  local before = tonumber(known[1]) or math.floor(tonumber(known[2]) / 1000)
  local modified = math.max(math.floor(tonumber(now) / 1000), before + 1)
  redis.call('HSET', pass, 'change', redis.call('INCR', counter), 'modified', string.format('%.0f', modified))
end
