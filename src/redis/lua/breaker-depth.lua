-- breaker-depth: how many webhooks of a partition have an open breaker, and how many deliveries are parked. Writes nothing.
-- KEYS  1 breakers
-- ARGV  1 the partition's key prefix
-- Returns {open, parked}
local open, parked = 0, 0
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local tenant, id = string.match(name, '^(%S+) (%S+)$')
  local webhook = ARGV[1] .. ':' .. tenant .. ':webhook:' .. id
  open = open + redis.call('HEXISTS', webhook, 'opened_at')
  parked = parked + redis.call('ZCARD', webhook .. ':parked')
end
return { open, parked }
