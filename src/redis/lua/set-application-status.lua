-- set-application-status: disable or enable an application.
-- KEYS  1 application
-- ARGV  1 tenant id   2 active | disabled
-- Returns 'changed' | 'same' | 'gone' (or another tenant's)
local facts = redis.call('HMGET', KEYS[1], 'tenant_id', 'status')
if facts[1] ~= ARGV[1] then return 'gone' end
if facts[2] == ARGV[2] then return 'same' end
redis.call('HSET', KEYS[1], 'status', ARGV[2])
return 'changed'
