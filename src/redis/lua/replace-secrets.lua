-- replace-secrets: write an application's secrets, unless somebody else has changed them since they were read.
-- KEYS  1 application
-- ARGV  1 tenant id   2 secrets as they were read (JSON)   3 secrets from now on (JSON)
-- Returns 'replaced' | 'outdated' | 'gone' (or another tenant's)
local facts = redis.call('HMGET', KEYS[1], 'tenant_id', 'secrets')
if facts[1] ~= ARGV[1] then return 'gone' end
if facts[2] ~= ARGV[2] then return 'outdated' end
redis.call('HSET', KEYS[1], 'secrets', ARGV[3])
return 'replaced'
