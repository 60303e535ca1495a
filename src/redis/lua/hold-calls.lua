-- hold-calls: the wallet says that an account calls too often; nobody calls for it before the time that it names. Where it
-- names none that is a second at first, and twice as long each time that it says so again.
-- KEYS  1 calls of the account
-- ARGV  1 asked (ms, '' = no time was named)   2 first hold (ms)   3 longest hold (ms)
-- Returns for how long calls are held from now on (ms)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- What begins with a deletion is carried out when there is no memory left, too.
redis.call('HDEL', KEYS[1], '')
local facts = redis.call('HMGET', KEYS[1], 'held', 'holds')
local held, holds = tonumber(facts[1] or '0'), tonumber(facts[2] or '0')
-- What was under way already when the hold began says nothing new.
if now >= held then
  holds = now - held > tonumber(ARGV[3]) and 1 or holds + 1
end
local asked = tonumber(ARGV[1])
local hold = asked and math.max(asked, ARGV[2]) or math.min(ARGV[2] * 2 ^ (holds - 1), ARGV[3])
local ends_at = (asked or now >= held) and math.max(held, now + hold) or held
redis.call('HSET', KEYS[1], 'held', string.format('%.0f', ends_at), 'holds', holds)
local left = redis.call('PTTL', KEYS[1])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.max(left, ends_at - now + 2 * ARGV[3])))
return math.ceil(ends_at - now)
