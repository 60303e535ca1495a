-- renew-leases: show that a worker still works on what it holds.
-- KEYS  1 queue stream
-- ARGV  1 group   2 consumer   3 the partition's key prefix   4… entry id, record, lane of each
-- Returns the entry ids whose lease is lost
local lost = {}
for i = 4, #ARGV, 3 do
  local entry, lane = ARGV[i], ARGV[i + 2]
  if redis.call('HGET', ARGV[3] .. ':' .. ARGV[i + 1], lane .. ':entry') == entry then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry, 'JUSTID')
  else
    lost[#lost + 1] = entry
  end
end
return lost
