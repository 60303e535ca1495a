-- queue-depth: how much of a partition waits, is held, is put off and is buried. Writes nothing, and costs the same
-- however much that is.
-- KEYS  1 dead letters   2 outbox   3… queues
-- ARGV  1 the partition's key prefix   2… the classes, in the order of the queues
-- Returns {dead letters, {events, age}, {ready, held, put off, dead letters, age}, …}: an age is that of the oldest, in ms
--   by the clock of Redis; 0 where there is none
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function age_of(since) return math.max(0, now - tonumber(string.match(since, '%d+'))) end

-- Each tenant's work waits in the order in which it came, and the tenants take turns: the oldest is among the first.
local among_first = 100
local function oldest_ready(ready)
  local oldest = 0
  for _, member in ipairs(redis.call('ZRANGE', ready, 0, among_first - 1)) do
    local record, lane = string.match(member, '^(%S+) (%S+)$')
    local since = redis.call('HGET', ARGV[1] .. ':' .. record, lane .. ':entry')
    if since and string.sub(since, 1, 1) == '@' then oldest = math.max(oldest, age_of(since)) end
  end
  return oldest
end

local first_event = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
local reply = {
  redis.call('XLEN', KEYS[1]),
  { redis.call('XLEN', KEYS[2]), first_event and age_of(first_event[1]) or 0 },
}
for i = 3, #KEYS do
  local queue = KEYS[i]
  reply[i] = {
    redis.call('ZCARD', queue .. ':ready'), redis.call('XLEN', queue), redis.call('ZCARD', queue .. ':delayed'),
    tonumber(redis.call('HGET', KEYS[1] .. ':classes', ARGV[i - 1]) or '0'), oldest_ready(queue .. ':ready'),
  }
end
return reply
