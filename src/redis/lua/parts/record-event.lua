-- record-event: write an event to the tenant's history and to the day's counters.
local function record_event(events, by_type, counts, type, at, packed)
  redis.call('ZADD', events, at, packed)
  redis.call('ZADD', by_type, at, packed)
  redis.call('HINCRBY', counts, type, 1)
end
