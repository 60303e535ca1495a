-- settle-delivered: what settle-delivery does for deliveries that arrived at endpoints that have not failed lately, for
-- many of one partition at once.
-- KEYS  1 queue   2… deliveries
-- ARGV  1 group   2 retention (s)   3… entry id (the lease), number of the attempt, attempt (JSON) of each
-- Returns a letter for each: 's' (settled) or 'l' (lost: another worker has it)
-- uses: open-records
local leases = {}
for i = 2, #KEYS do leases[i - 1] = ARGV[3 * i - 3] end
-- A lease that is pending is the latest of its delivery: whoever takes a lane over acknowledges the lease before. Where
-- all are, no delivery has to be asked which is its own. (But for one of which the group was destroyed by hand while its
-- worker slept: that settles what it did do, and the other worker's lease is lost.)
local are_pending = redis.call('XACK', KEYS[1], ARGV[1], unpack(leases)) == #leases

local replies, settled = {}, {}
for i = 2, #KEYS do
  local key, at = KEYS[i], 3 * i - 3
  local lease, field, attempt = ARGV[at], 'attempt:' .. ARGV[at + 1], ARGV[at + 2]
  -- A delivery that is gone was its tenant's, who is gone, too.
  if (are_pending or redis.call('HGET', key, 'send:entry') == lease) and redis.call('EXPIRE', key, ARGV[2]) == 1 then
    redis.call('HSET', key, field, attempt, 'status', 'delivered', 'send:entry', '', 'send:state', 'done')
    settled[#settled + 1] = key
    replies[i - 1] = 's'
  else
    -- The answer to an earlier call may have been lost on its way.
    replies[i - 1] = redis.call('HGET', key, field) == attempt and 's' or 'l'
  end
end
redis.call('XDEL', KEYS[1], unpack(leases))
close_records(settled)
return table.concat(replies)
