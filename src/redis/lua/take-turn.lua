-- take-turn: begin a due run of a task, unless somebody has begun it, or is not done with the one before.
-- KEYS  1 turn
-- ARGV  1 instant at which the run is due (ms)   2 now (ms)   3 lease (ms)   4 holder   5 how long this is remembered (ms)
-- Returns 'yours' | 'taken' | 'busy'
local turn = redis.call('HMGET', KEYS[1], 'due', 'until')
if turn[1] and tonumber(turn[1]) >= tonumber(ARGV[1]) then return 'taken' end
if turn[2] and tonumber(turn[2]) > tonumber(ARGV[2]) then return 'busy' end
redis.call('HSET', KEYS[1], 'due', ARGV[1], 'holder', ARGV[4], 'until', ARGV[2] + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 'yours'
