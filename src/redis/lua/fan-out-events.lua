-- fan-out-events: turn waiting events into one delivery for each webhook that is subscribed now. Reading, writing and
-- removing are one step: no event is lost or delivered twice for a crash in between.
-- A delivery's id keeps the event's time and takes the rest from event and webhook, so it is a UUID version 7 too.
-- Which webhooks there are is known only here, so their keys are made here; all share the slot.
-- KEYS  1 outbox   2 queue stream of class webhooks
-- ARGV  1 how many events at most   2 now (ms)   3 the partition's key prefix
-- Returns the number of events
-- uses: enqueue
local function delivery_id(event, webhook)
  local hash = redis.sha1hex(event .. webhook)
  local variant = string.sub('89ab', tonumber(string.sub(hash, 4, 4), 16) % 4 + 1, -1)
  return string.sub(event, 1, 15) .. string.sub(hash, 1, 3) .. '-' .. string.sub(variant, 1, 1)
    .. string.sub(hash, 5, 7) .. '-' .. string.sub(hash, 8, 19)
end

local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[1])
for _, entry in ipairs(entries) do
  local tenant, event, type = entry[2][2], entry[2][4], entry[2][6]
  local owner = ARGV[3] .. ':' .. tenant
  for _, webhook in ipairs(redis.call('SMEMBERS', owner .. ':webhooks:' .. type)) do
    local id = delivery_id(event, webhook)
    local record = tenant .. ':delivery:' .. id
    local key = owner .. ':delivery:' .. id
    redis.call('HSET', key, 'webhook', webhook, 'event', event, 'type', type, 'status', 'pending',
      'created_at', ARGV[2], 'next_at', ARGV[2])
    redis.call('ZADD', owner .. ':webhook:' .. webhook .. ':deliveries', ARGV[2], id)
    enqueue(KEYS[2], key, record, 'send')
  end
  redis.call('XDEL', KEYS[1], entry[1])
end
return #entries
