-- set-tenant-status: suspend or activate a tenant, or mark it as being deleted, from which there is no way back.
-- KEYS  1 tenant
-- ARGV  1 active | suspended | deleting
-- Returns 'changed' | 'same' | 'deleting' (and so it stays) | 'gone'
local current = redis.call('HGET', KEYS[1], 'status')
if not current then return 'gone' end
if current == ARGV[1] then return 'same' end
if current == 'deleting' then return 'deleting' end
redis.call('HSET', KEYS[1], 'status', ARGV[1])
return 'changed'
