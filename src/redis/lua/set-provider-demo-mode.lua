-- set-provider-demo-mode: note whether the issuer of a tenant's configuration is in the wallet's demo mode.
-- KEYS  1 configuration
-- ARGV  1 '1' = it is   2 now (ms)
-- Returns 'changed' | 'same' | 'gone'
local summary = redis.call('HGET', KEYS[1], 'summary')
if not summary then return 'gone' end
local facts = cjson.decode(summary)
local was = facts.demo_mode
facts.demo_mode = ARGV[1] == '1' and 'true' or nil
if facts.demo_mode == was then return 'same' end
redis.call('HSET', KEYS[1], 'summary', cjson.encode(facts), 'updated_at', ARGV[2])
return 'changed'
