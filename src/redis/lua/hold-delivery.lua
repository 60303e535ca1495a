-- hold-delivery: put off a delivery that could not be sent for a reason of ours; the attempt does not count. When it first
-- was is remembered for as long as the same attempt is due.
-- KEYS  1 queue   2 delivery
-- ARGV  1 group   2 entry id (the lease)   3 due at (ms)   4 delivery record, relative to the partition   5 now (ms)   6 how long it may be held (ms)
-- Returns 'held' | 'overdue' (it was for too long, and nothing was written) | 'lost' (another worker has it)
-- uses: release delay
local facts = redis.call('HMGET', KEYS[2], 'send:entry', 'send:attempts', 'send:held')
if facts[1] ~= ARGV[2] then return 'lost' end
local attempt, since = string.match(facts[3] or '', '^(%d+) (%d+)$')
if attempt ~= facts[2] then since = ARGV[5] end
if ARGV[5] - since >= tonumber(ARGV[6]) then return 'overdue' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'send:attempts', -1)
redis.call('HSET', KEYS[2], 'send:held', facts[2] .. ' ' .. since, 'send:entry', '', 'send:state', 'retrying', 'next_at', ARGV[3])
delay(KEYS[1], ARGV[4], 'send', ARGV[3])
return 'held'
