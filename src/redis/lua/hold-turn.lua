-- hold-turn: go on with a run of a task, or end it.
-- KEYS  1 turn
-- ARGV  1 holder   2 until when it is held (ms; now = the run has ended)
-- Returns 'yours' | 'lost' (somebody else has begun another run)
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 'lost' end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return 'yours'
