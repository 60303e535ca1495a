-- set-provider-enabled: disable or enable a tenant's configuration of a wallet.
-- KEYS  1 configuration
-- ARGV  1 '1' = enabled, '0' = disabled   2 now (ms)
-- Returns 'changed' | 'same' | 'gone'
local enabled = redis.call('HGET', KEYS[1], 'enabled')
if not enabled then return 'gone' end
if enabled == ARGV[1] then return 'same' end
redis.call('HSET', KEYS[1], 'enabled', ARGV[1], 'updated_at', ARGV[2])
return 'changed'
