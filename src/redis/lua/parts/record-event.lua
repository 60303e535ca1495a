-- record-event: write an event to the tenant's history and to its day's counters. `counts` is the key of the day of
-- `at`, `packed` what packEvent makes. An instant before the latest one becomes that one, as Redis has it for the ids of
-- a stream: whoever reads on from an instant misses nothing, and no clock that is behind can change the order.
-- uses: event-log uuid-bytes
-- The link of an event that comes behind `head`. What lies before `first` is gone, and no longer linked to.
local function link_behind(events, head, first)
  local nth, _, far = link_at(events, head)
  if far >= first then
    local far_nth, _, farther = link_at(events, far)
    if farther >= first and nth - far_nth == far_nth - link_at(events, farther) then
      return nth + 1, head, farther
    end
  end
  return nth + 1, head, head
end

local function record_event(events, by_type, counts, type, at, packed)
  local id, code, pass, template, message = string.match(packed, '^(%S+) (%d+) (%S*) (%S*) (%S*)$')
  local facts = redis.call('HMGET', events, 'next', 'first', 'at', 'day', type)
  local position, first, count = tonumber(facts[1] or '0'), tonumber(facts[2] or '0'), tonumber(facts[5] or '0')
  local day = string.sub(counts, -10)
  if not facts[3] then
    redis.call('HSET', events, 'since', at)
  elseif tonumber(at) < tonumber(facts[3]) then
    at, day = facts[3], facts[4]
  end

  local nth, previous, far = 1, position, position
  if pass ~= '' then
    local pass_key = string.gsub(events, 'events$', 'pass:' .. pass)
    local head = tonumber(redis.call('HGET', pass_key, 'event') or '-1')
    if head >= first then nth, previous, far = link_behind(events, head, first) end
    redis.call('HSET', pass_key, 'event', position)
  end
  local record = uuid_bytes(id) .. struct.pack('>I6B', at, code + (message ~= '' and 128 or 0)) .. uuid_bytes(pass) .. uuid_bytes(template)
    .. struct.pack('>I4I5I5', nth, previous, far)

  local log = log_of(events)
  write_item(log, position, record)
  if message ~= '' then
    redis.call('HSET', string_of(log, position) .. ':messages', position, uuid_bytes(message))
  end
  write_item(by_type, count, struct.pack('>I5', position))
  redis.call('HSET', events, 'next', position + 1, 'at', at, 'day', day, type, count + 1)
  redis.call('HINCRBY', string.sub(counts, 1, -11) .. day, type, 1)
end
