-- begin-again: a fresh count of attempts for a delivery, at once. Its history goes on where it was: new attempts must not
-- take the numbers, and so the places, of the old ones. For how long it was held before counts no more. `at_once`: its
-- first attempt passes by an open breaker.
local function begin_again(delivery, now, at_once)
  local counts = redis.call('HMGET', delivery, 'send:attempts', 'send:earlier')
  local earlier = tonumber(counts[1] or '0') + tonumber(counts[2] or '0')
  redis.call('HINCRBY', delivery, 'replays', 1)
  redis.call('HSET', delivery, 'status', 'pending', 'next_at', now, 'send:attempts', 0, 'send:earlier', earlier,
    'send:at_once', at_once and 1 or 0)
  redis.call('HDEL', delivery, 'send:held')
end
