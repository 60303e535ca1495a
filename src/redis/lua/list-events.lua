-- list-events: a page of a tenant's history, newest first; of all types, or of one. Writes nothing.
-- KEYS  1 events   2 events by type
-- ARGV  1 from (ms, '' = open)   2 to (ms, '' = open)   3 type ('' = all)   4 how many to skip   5 how many to answer
-- Returns {total, record, …}
-- uses: event-log
local events, by_type = KEYS[1], KEYS[2]
local low, high = positions_between(events, ARGV[1], ARGV[2])
if ARGV[3] ~= '' then
  local count = tonumber(redis.call('HGET', events, ARGV[3]) or '0')
  low, high = index_of(by_type, count, low), index_of(by_type, count, high)
end

local reply = { high - low }
local newest = high - 1 - tonumber(ARGV[4])
local oldest = math.max(low, newest - tonumber(ARGV[5]) + 1)
if ARGV[3] == '' then
  local records = read_items(log_of(events), oldest, newest + 1, record_width)
  for position = newest, oldest, -1 do
    local from = (position - oldest) * record_width
    reply[#reply + 1] = with_message(events, position, string.sub(records, from + 1, from + record_width))
  end
else
  local positions = read_items(by_type, oldest, newest + 1, 5)
  for index = newest, oldest, -1 do
    local position = struct.unpack('>I5', positions, (index - oldest) * 5 + 1)
    reply[#reply + 1] = record_at(events, position)
  end
end
return reply
