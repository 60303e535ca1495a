-- rotate-key: let the next key sign, the active one retire, and publish a new next one.
-- KEYS  1 signing keys
-- ARGV  1 id of the active key   2 id of the next key   3 now (ms)   4 id of the new next key   5 its record (JSON)
-- Returns 'done' | 'outdated' (they are not active and next any more)
-- uses: signing-key
local active = key_in_state(KEYS[1], ARGV[1], 'active')
local next_key = key_in_state(KEYS[1], ARGV[2], 'next')
if not active or not next_key then return 'outdated' end
enter_state(KEYS[1], active, 'retiring', 'retiredAtMs', ARGV[3])
enter_state(KEYS[1], next_key, 'active', 'activatedAtMs', ARGV[3])
redis.call('HSET', KEYS[1], ARGV[4], ARGV[5])
return 'done'
