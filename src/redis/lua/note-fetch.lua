-- note-fetch: somebody has fetched a pass. Where a device that had asked for its list from there is known, it was that one.
-- KEYS  1 who asked for a list from there, for this pass   2 key prefix of the tenant's devices
-- ARGV  1 now (ms)   2 pass id
-- Returns 'noted' | 'unknown' (whose it was)
local device = redis.call('GET', KEYS[1])
if not device or redis.call('HEXISTS', KEYS[2] .. device, ARGV[2]) == 0 then return 'unknown' end
redis.call('HSET', KEYS[2] .. device, ARGV[2] .. ':fetched', ARGV[1])
return 'noted'
