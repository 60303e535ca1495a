-- restore-keys: put keys of a backup in place, as they were.
-- KEYS  1 how far the restore has come   2… keys
-- ARGV  1 holder   2 position: the last record that was in place before these
--       3… for each key when it expires (ms, '0' = never), and what DUMP gave ('' = it is gone)
-- Returns 'restored' | 'lost' (somebody else restores) | 'refused WHY' (Redis does not take a value)
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 'lost' end
for i = 2, #KEYS do
  local expires, dump = ARGV[2 * i - 1], ARGV[2 * i]
  if dump == '' then
    redis.call('UNLINK', KEYS[i])
  else
    local reply = redis.pcall('RESTORE', KEYS[i], expires, dump, 'REPLACE', 'ABSTTL')
    if reply.err then return 'refused ' .. reply.err end
  end
end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
return 'restored'
