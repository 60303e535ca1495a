-- drop-key: take a compromised key away, and fill the place that it leaves.
-- KEYS  1 signing keys
-- ARGV  1 id of the key   2 its state as the caller knows it   3 id of the next key that shall sign ('' = none shall)
--       4 now (ms)   5 id of the new next key ('' = none)   6 its record (JSON)
-- Returns 'done' | 'outdated' (they are in other states)
-- uses: signing-key
local next_key = ARGV[3] ~= '' and key_in_state(KEYS[1], ARGV[3], 'next')
if not key_in_state(KEYS[1], ARGV[1], ARGV[2]) or (ARGV[3] ~= '' and not next_key) then return 'outdated' end
if next_key then enter_state(KEYS[1], next_key, 'active', 'activatedAtMs', ARGV[4]) end
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], ARGV[5], ARGV[6]) end
return 'done'
