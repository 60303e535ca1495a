-- queue-depth: how much of a partition waits, is held, is put off and is buried. Writes nothing, and costs the same
-- however much that is.
-- KEYS  1 retry set   2 dead letters   3 outbox   4… queue streams
-- ARGV  1 group
-- Returns {put off, dead letters, {events, age}, {ready, held, age}, …}: an age is that of the oldest, in ms by the
--   clock that made the entries' ids; 0 where there is none
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function age_after(stream, id)
  local first = redis.call('XRANGE', stream, id, '+', 'COUNT', 1)[1]
  if not first then return 0 end
  return math.max(0, now - tonumber(string.match(first[1], '^%d+')))
end

-- A stream that is new, or has lost its group, has nothing in anybody's hands.
local function group_of(stream)
  for _, facts in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local group = {}
    for i = 1, #facts, 2 do group[facts[i]] = facts[i + 1] end
    if group['name'] == ARGV[1] then return group['pending'], '(' .. group['last-delivered-id'] end
  end
  return 0, '-'
end

local reply = {
  redis.call('ZCARD', KEYS[1]),
  redis.call('XLEN', KEYS[2]),
  { redis.call('XLEN', KEYS[3]), age_after(KEYS[3], '-') },
}
for i = 4, #KEYS do
  local length = redis.call('XLEN', KEYS[i])
  if length == 0 then
    reply[i] = { 0, 0, 0 }
  else
    -- What is done is deleted from the stream, so all that is there is either held or waits.
    local held, next_id = group_of(KEYS[i])
    reply[i] = { math.max(0, length - held), held, age_after(KEYS[i], next_id) }
  end
end
return reply
