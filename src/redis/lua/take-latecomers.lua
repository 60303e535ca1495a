-- take-latecomers: devices that registered for a pass soon after its latest change, and may not know of it. Each comes again when
-- `lease` is over, until it is known that it was told: then, or when that is not to be had, it is taken out.
-- KEYS  1 latecomers
-- ARGV  1 now (ms)   2 how many at most   3 lease (ms)   4 how long one is tried (ms)   5 the partition's key prefix
-- Returns {how many were looked at, tenant, pass, device, push token, number of the change, …}
local now = tonumber(ARGV[1])

-- Its push token and the number of the change, where it is to be told.
local function untold(tenant, pass, device)
  local known = redis.call('HMGET', ARGV[5] .. ':' .. tenant .. ':device:' .. device, pass, 'token', pass .. ':pushed', pass .. ':listed')
  local change = redis.call('HGET', ARGV[5] .. ':' .. tenant .. ':pass:' .. pass, 'change')
  if not known[1] or not change or now - tonumber(known[1]) > tonumber(ARGV[4]) then return end
  -- What it has listed since it registered holds the change.
  local pushed = known[3] and tonumber(string.match(known[3], '^%d+'))
  if known[4] or (pushed and pushed >= tonumber(change)) then return end
  return known[2], change
end

local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
local found = { #due }
for _, member in ipairs(due) do
  local tenant, pass, device = string.match(member, '^(%S+) (%S+) (.+)$')
  local token, change = untold(tenant, pass, device)
  if token then
    redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), member)
    for _, part in ipairs({ tenant, pass, device, token, change }) do found[#found + 1] = part end
  else
    redis.call('ZREM', KEYS[1], member)
  end
end
return found
