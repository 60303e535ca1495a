-- register-device: a device wants to be told when a pass changes, or has another push token now. Where the pass has changed
-- lately it may have the one of before, and was not there when the others were told.
-- KEYS  1 pass   2 devices of the pass   3 device   4 events   5 events pass.installed   6 event counts   7 latecomers
-- ARGV  1 now (ms)   2 device id   3 pass id   4 push token   5 packed event   6 the device as latecomers are named
--       7 how long ago «lately» is (ms)
-- Returns 'registered' | 'known' | 'gone' (there is no such pass)
-- uses: record-event
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
if redis.call('HGET', KEYS[3], 'token') ~= ARGV[4] then
  redis.call('HSET', KEYS[3], 'token', ARGV[4], 'token_at', ARGV[1])
end
redis.call('SADD', KEYS[2], ARGV[2])
if redis.call('HSETNX', KEYS[3], ARGV[3], ARGV[1]) == 0 then return 'known' end
local latest = redis.call('HMGET', KEYS[1], 'change', 'modified')
if latest[1] and 1000 * tonumber(latest[2]) >= tonumber(ARGV[1]) - tonumber(ARGV[7]) then
  redis.call('ZADD', KEYS[7], ARGV[1], ARGV[6])
end
record_event(KEYS[4], KEYS[5], KEYS[6], 'pass.installed', ARGV[1], ARGV[5])
return 'registered'
