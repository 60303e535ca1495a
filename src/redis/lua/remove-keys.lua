-- remove-keys: take retiring keys out of the key set. Keys in other states stay.
-- KEYS  1 signing keys
-- ARGV  1… ids of the keys
-- Returns how many were removed
-- uses: signing-key
local removed = 0
for i = 1, #ARGV do
  if key_in_state(KEYS[1], ARGV[i], 'retiring') then removed = removed + redis.call('HDEL', KEYS[1], ARGV[i]) end
end
return removed
