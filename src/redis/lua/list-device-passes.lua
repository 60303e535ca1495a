-- list-device-passes: which passes of a device have changed since. Notes that the device was told so, and for a while who it
-- was that asked, so that the fetches that follow can be told to be its own. Passes of one tenant share the slot.
-- KEYS  1 device   2 key prefix of the tenant's passes   3 key prefix of those who asked
-- ARGV  1 now (ms)   2 device id   3 changes up to this one are known ('' = none is)   4 who asks   5 for so long (s)
-- Returns {number of the latest of these changes, pass id, …}
local since = tonumber(ARGV[3]) or -1
local latest, found = 0, {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if #field == 36 then
    local change = tonumber(redis.call('HGET', KEYS[2] .. field, 'change') or '0')
    if change > since then
      found[#found + 1] = field
      latest = math.max(latest, change)
    end
  end
end
for _, pass in ipairs(found) do
  redis.call('HSET', KEYS[1], pass .. ':listed', ARGV[1])
  redis.call('SET', KEYS[3] .. ARGV[4] .. ':' .. pass, ARGV[2], 'EX', ARGV[5])
end
return { string.format('%.0f', latest), unpack(found) }
