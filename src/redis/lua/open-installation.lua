-- open-installation: lay a fresh store out, and raise the mark of its data format to what this release writes.
-- KEYS  1 meta
-- ARGV  1 partitions of a fresh store   2 oldest format that this release reads   3 newest that it reads   4 the one that it writes
-- Returns { partitions, format } as they are now; a format that this release does not read is left as it is
local meta = redis.call('HMGET', KEYS[1], 'partitions', 'format')
if not meta[1] then
  redis.call('HSET', KEYS[1], 'partitions', ARGV[1], 'format', ARGV[4])
  return { ARGV[1], ARGV[4] }
end
-- Stores of before there was a mark are of the first format.
local format = tonumber(meta[2] or 1)
local writes = tonumber(ARGV[4])
if format < tonumber(ARGV[2]) or format > tonumber(ARGV[3]) then return { meta[1], tostring(format) } end
if not meta[2] or writes > format then
  format = math.max(format, writes)
  redis.call('HSET', KEYS[1], 'format', format)
end
return { meta[1], tostring(format) }
