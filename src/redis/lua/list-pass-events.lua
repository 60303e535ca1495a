-- list-pass-events: a page of what happened to one pass, newest first. Writes nothing.
-- KEYS  1 events   2 pass
-- ARGV  1 from (ms, '' = open)   2 to (ms, '' = open)   3 how many to skip   4 how many to answer
-- Returns {total, record, …}
-- uses: event-log
local events = KEYS[1]
local head = redis.call('HGET', KEYS[2], 'event')
if not head then return { 0 } end
local low, high = positions_between(events, ARGV[1], ARGV[2])
local position = newest_before(events, tonumber(head), high)
if not position or position < low then return { 0 } end

local oldest, newest_nth, oldest_nth = position, (link_at(events, position))
repeat
  local nth, previous, far = link_at(events, oldest)
  local here = oldest
  oldest_nth = nth
  if far >= low and far ~= here then oldest = far
  elseif previous >= low then oldest = previous end
until oldest == here

local wanted = newest_nth - tonumber(ARGV[3])
local reply = { newest_nth - oldest_nth + 1 }
if wanted < oldest_nth then return reply end
local nth, previous, far = link_at(events, position)
while nth > wanted and previous < position do
  position = far >= low and link_at(events, far) >= wanted and far or previous
  nth, previous, far = link_at(events, position)
end
for _ = 1, math.min(tonumber(ARGV[4]), nth - oldest_nth + 1) do
  reply[#reply + 1] = record_at(events, position)
  position = select(2, link_at(events, position))
end
return reply
