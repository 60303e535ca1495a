-- forget-tenant: the last step of a deletion: the record that says that there is something to delete.
-- KEYS  1 tenant   2 tenants of the partition
-- ARGV  1 tenant id
-- Returns 'forgotten' | 'alive' (not marked as being deleted)
local status = redis.call('HGET', KEYS[1], 'status')
if status and status ~= 'deleting' then return 'alive' end
redis.call('UNLINK', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 'forgotten'
