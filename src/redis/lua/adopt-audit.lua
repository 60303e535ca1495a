-- adopt-audit: put the entries of a backup's audit log before those that are there. Where these are not all younger, the
-- log is the one that was copied: it stays as it is.
-- KEYS  1 audit log   2 entries that were restored
-- ARGV  none
-- Returns 'adopted' | 'kept' | 'nothing'
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if not last then return 'nothing' end
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
  local reply = redis.pcall('XADD', KEYS[2], entry[1], unpack(entry[2]))
  if reply.err then
    redis.call('UNLINK', KEYS[2])
    return 'kept'
  end
end
redis.call('RENAME', KEYS[2], KEYS[1])
return 'adopted'
