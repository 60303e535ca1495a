-- event-log: a tenant's history, a log that only grows at its end: the order of recording is that of the instants.
-- `events`, the key of a hash with the log's facts, is also what the other keys begin with:
--   next, first        position of the next event, and of the oldest that is kept
--   at, day            instant of the latest event, and its day
--   since, gone        instants of the first event ever, and of the latest that was let go
--   TYPE               how many events of this type there ever were
--   EVENTS:log         packed array of records, by position
--   EVENTS:TYPE        packed array of the positions of a type's events (5 bytes)
--   EVENTS:log:N:messages   hash, position -> message id (16 bytes), of the records in EVENTS:log:N that have one
-- A record: id (16 bytes), instant (6, ms), code of the type (1, plus 128 where there is a message), pass (16),
-- template (16), and a link of the chain that the events of one pass make: its number in there (4), the position of the
-- one before (5), and that of one farther back (5). The pass's field `event` holds the position of its latest. The far
-- links are set so that any event of a chain of k is reached within O(log k) steps (E. W. Myers, An applicative
-- random-access stack, Information Processing Letters 17, 1983).
-- uses: packed-array
local record_width = 69

local function log_of(events) return events .. ':log' end

local function instant_at(events, position)
  return (struct.unpack('>I6', read_item(log_of(events), position, record_width, 16, 6)))
end

local function code_at(events, position)
  return string.byte(read_item(log_of(events), position, record_width, 22, 1)) % 128
end

-- nth, previous, far. The first of a chain links to itself.
local function link_at(events, position)
  return struct.unpack('>I4I5I5', read_item(log_of(events), position, record_width, 55, 14))
end

-- A record as it is answered: behind it the id of its message, where it has one.
local function with_message(events, position, record)
  if string.byte(record, 23) < 128 then return record end
  return record .. redis.call('HGET', string_of(log_of(events), position) .. ':messages', position)
end

local function record_at(events, position)
  return with_message(events, position, read_item(log_of(events), position, record_width, 0, record_width))
end

-- The positions [low, high) of the events from one instant to another, both included; '' leaves an end open.
local function positions_between(events, from, to)
  local facts = redis.call('HMGET', events, 'first', 'next')
  local low, high = tonumber(facts[1] or '0'), tonumber(facts[2] or '0')
  if from ~= '' then
    local earliest = tonumber(from)
    low = bisect(low, high, function(position) return instant_at(events, position) >= earliest end)
  end
  if to ~= '' then
    local latest = tonumber(to)
    high = bisect(low, high, function(position) return instant_at(events, position) > latest end)
  end
  return low, high
end

local function position_of_nth(by_type, index)
  local bytes = read_item(by_type, index, 5, 0, 5)
  return bytes ~= '' and struct.unpack('>I5', bytes) or -1
end

-- Where the positions from `position` on begin among the `count` of a type.
local function index_of(by_type, count, position)
  if count == 0 or position_of_nth(by_type, count - 1) < position then return count end
  if position_of_nth(by_type, 0) >= position then return 0 end
  return bisect(0, count, function(index) return position_of_nth(by_type, index) >= position end)
end

-- The newest event of a chain before the position `high`, counted back from `head`; nil where there is none.
local function newest_before(events, head, high)
  while head >= high do
    local _, previous, far = link_at(events, head)
    if previous == head then return nil end
    head = far >= high and far or previous
  end
  return head
end
