-- settle-delivered: what settle-delivery does for deliveries that arrived at endpoints that have not failed lately, for
-- many of one partition at once.
-- KEYS  1 queue   2… deliveries
-- ARGV  1 group   2 retention (s)   3… entry id (the lease), number of the attempt, attempt (JSON) of each
-- Returns {'settled' | 'lost' (another worker has it), …}
-- uses: open-records
local replies, leases, open, records = {}, {}, nil, {}
for i = 2, #KEYS do
  local key, at = KEYS[i], 3 * i - 3
  local lease, field, attempt = ARGV[at], 'attempt:' .. ARGV[at + 1], ARGV[at + 2]
  local now = redis.call('HMGET', key, 'send:entry', field)
  if now[1] == lease then
    redis.call('HSET', key, field, attempt, 'status', 'delivered', 'send:entry', '', 'send:state', 'done', 'next_at', '')
    redis.call('EXPIRE', key, ARGV[2])
    leases[#leases + 1] = lease
    open, records[#records + 1] = open_place(key)
    replies[#replies + 1] = 'settled'
  else
    -- The answer to an earlier call may have been lost on its way.
    replies[#replies + 1] = now[2] == attempt and 'settled' or 'lost'
  end
end
if #leases > 0 then
  redis.call('XACK', KEYS[1], ARGV[1], unpack(leases))
  redis.call('XDEL', KEYS[1], unpack(leases))
  redis.call('ZREM', open, unpack(records))
end
return replies
