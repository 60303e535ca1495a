-- sift-pass-events: go back through the events of one pass and pick those of one type. A step looks at a bounded number
-- of events and says where the next one goes on. Writes nothing.
-- KEYS  1 events   2 pass
-- ARGV  1 from (ms, '' = open)   2 to (ms, '' = open)   3 code of the type   4 position to go on from ('' = the latest)
--       5 how many events to look at   6 how many matches to skip   7 how many to answer
-- Returns {position to go on from (-1 = done), matches, record, …}
-- uses: event-log
local events = KEYS[1]
local head = ARGV[4] ~= '' and ARGV[4] or redis.call('HGET', KEYS[2], 'event')
if not head then return { -1, 0 } end
local low, high = positions_between(events, ARGV[1], ARGV[2])
local position = newest_before(events, tonumber(head), high)
local code, skip, wanted = tonumber(ARGV[3]), tonumber(ARGV[6]), tonumber(ARGV[7])

local reply = { -1, 0 }
for _ = 1, tonumber(ARGV[5]) do
  if not position or position < low then return reply end
  if code_at(events, position) == code then
    reply[2] = reply[2] + 1
    if reply[2] > skip and reply[2] <= skip + wanted then reply[#reply + 1] = record_at(events, position) end
  end
  local _, previous = link_at(events, position)
  position = previous < position and previous or nil
end
reply[1] = position or -1
return reply
