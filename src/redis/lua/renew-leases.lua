-- renew-leases: show that a worker still works on what it holds.
-- KEYS  1 queue
-- ARGV  1 group   2 consumer   3 the partition's key prefix   4… entry id, record, lane of each
-- Returns the entry ids whose lease is lost
-- uses: missed
local lost = {}
for i = 4, #ARGV, 3 do
  local entry, lane = ARGV[i], ARGV[i + 2]
  local key = ARGV[3] .. ':' .. ARGV[i + 1]
  if redis.call('HGET', key, lane .. ':entry') ~= entry then
    lost[#lost + 1] = entry
  else
    -- FORCE: where the group was lost, this makes the entry pending again.
    local renewed = redis.pcall('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, entry, 'JUSTID', 'FORCE')
    if renewed.err or #renewed == 0 then note_missed(key, lane, entry) end
  end
end
return lost
