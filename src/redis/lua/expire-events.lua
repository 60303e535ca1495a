-- expire-events: let go of the events before an instant. A step goes through a bounded part of the history; what it has
-- done is done, and the next one goes on there. The day's counters stay.
-- KEYS  1 events   2… events by type
-- ARGV  1 instant (ms)   2 most strings of the log to remove   3… the types, in the order of KEYS
-- Returns {how many events went, '1' = there are more to go}
-- uses: event-log
local events, instant = KEYS[1], tonumber(ARGV[1])
local facts = redis.call('HMGET', events, 'first', 'next', unpack(ARGV, 3))
local first, next_position = tonumber(facts[1] or '0'), tonumber(facts[2] or '0')
local goal = bisect(first, next_position, function(position) return instant_at(events, position) >= instant end)
local last = math.min(goal, (math.floor(first / items_per_string) + tonumber(ARGV[2])) * items_per_string)
if last <= first then return { 0, '' } end

redis.call('HSET', events, 'first', last, 'gone', instant_at(events, last - 1))
for type = 1, #KEYS - 1 do
  local by_type, count = KEYS[1 + type], tonumber(facts[2 + type] or '0')
  drop_strings(by_type, index_of(by_type, count, first), index_of(by_type, count, last), '')
end
drop_strings(log_of(events), first, last, '')
drop_strings(log_of(events), first, last, ':messages')
return { last - first, goal > last and '1' or '' }
