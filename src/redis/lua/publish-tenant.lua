-- publish-tenant: let a tenant be known whose keys have been restored. What is known already stays as it is.
-- KEYS  1 how far the restore has come   2 tenant   3 tenants of the partition
-- ARGV  1 holder   2 tenant id   3 what DUMP gave of the tenant
-- Returns 'restored' | 'lost' (somebody else restores) | 'refused WHY' (Redis does not take the value)
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 'lost' end
if redis.call('EXISTS', KEYS[2]) == 0 then
  local reply = redis.pcall('RESTORE', KEYS[2], 0, ARGV[3])
  if reply.err then return 'refused ' .. reply.err end
end
redis.call('ZADD', KEYS[3], redis.call('HGET', KEYS[2], 'created_at'), ARGV[2])
return 'restored'
