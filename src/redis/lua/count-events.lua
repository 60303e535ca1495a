-- count-events: how many events of each type there were in spans of time, by the history itself. Writes nothing.
-- KEYS  1 events   2… events by type
-- ARGV  1 number of types, then these, in the order of KEYS, then from and to (ms, both included) of each span
-- Returns {instant of the latest event that was let go ('' = none), {count of each type}, …}
-- uses: event-log
local events, types = KEYS[1], tonumber(ARGV[1])
local totals = redis.call('HMGET', events, unpack(ARGV, 2, 1 + types))
local reply = { redis.call('HGET', events, 'gone') or '' }
for span = 2 + types, #ARGV, 2 do
  local low, high = positions_between(events, ARGV[span], ARGV[span + 1])
  local counts = {}
  for type = 1, types do
    local by_type, total = KEYS[1 + type], tonumber(totals[type] or '0')
    counts[type] = index_of(by_type, total, high) - index_of(by_type, total, low)
  end
  reply[#reply + 1] = counts
end
return reply
