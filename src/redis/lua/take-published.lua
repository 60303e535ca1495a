-- take-published: template versions that were published, and are to be made known to the wallets now. Each comes again when
-- `lease` is over, until it is settled.
-- KEYS  1 published
-- ARGV  1 now (ms)   2 how many at most   3 lease (ms)
-- Returns the members
local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, member in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[3], member) end
return due
