-- park-delivery: let a delivery that came due wait while its webhook's breaker is open, uncounted; unless it is the probe,
-- or the next one while none is under way.
-- KEYS  1 queue   2 delivery   3 webhook   4 breakers   5 parked deliveries of the webhook
-- ARGV  1 group   2 entry id (the lease)   3 delivery id   4 webhook, as the breakers name it   5 now (ms)
--       6 how soon a probe is looked after (ms)   7 how long a delivery stays parked (ms)
-- Returns 'parked' | 'send' (it may go) | 'lost' (another worker has it)
-- uses: release
local now = redis.call('HMGET', KEYS[2], 'send:entry', 'send:state')
if now[1] ~= ARGV[2] then return now[2] == 'parked' and 'parked' or 'lost' end
local breaker = redis.call('HMGET', KEYS[3], 'opened_at', 'probe', 'probe_at')
if not breaker[1] or breaker[2] == ARGV[3] then return 'send' end
local due = tonumber(ARGV[5]) >= tonumber(breaker[3])
if due and not breaker[2] and redis.call('EXISTS', KEYS[5]) == 0 then
  redis.call('HSET', KEYS[3], 'probe', ARGV[3])
  redis.call('ZADD', KEYS[4], ARGV[5] + ARGV[6], ARGV[4])
  return 'send'
end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'send:attempts', -1)
redis.call('HSET', KEYS[2], 'send:entry', '', 'send:state', 'parked')
redis.call('ZADD', KEYS[5], ARGV[5], ARGV[3])
redis.call('ZADD', KEYS[4], 'LT', math.min(breaker[3], ARGV[5] + ARGV[7]), ARGV[4])
return 'parked'
