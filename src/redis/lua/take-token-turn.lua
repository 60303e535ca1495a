-- take-token-turn: count one request in a sliding window, unless the window is full.
-- KEYS  1 window (sorted set of instants)
-- ARGV  1 now (ms)   2 window (ms)   3 limit   4 a member that nobody else uses
-- Returns {1 = allowed | 0, requests left, ms until the oldest leaves the window}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', tonumber(ARGV[1]) - tonumber(ARGV[2]))
local used = redis.call('ZCARD', KEYS[1])
local allowed = used < tonumber(ARGV[3])
if allowed then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  used = used + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset = oldest[2] and tonumber(oldest[2]) + tonumber(ARGV[2]) - tonumber(ARGV[1]) or 0
return { allowed and 1 or 0, tonumber(ARGV[3]) - used, reset }
