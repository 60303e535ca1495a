-- note-pushes: write what became of pushes about a change of a pass.
-- KEYS  1 devices of the pass   2 key prefix of the tenant's devices
-- ARGV  1 now (ms)   2 pass id   3 number of the change
--       4… device id, push token, sent | gone | refused, since when (ms) or why, of each
-- Returns how many registrations ended
-- uses: forget-device
local ended = 0
for i = 4, #ARGV, 4 do
  local id, token, outcome, detail = unpack(ARGV, i, i + 3)
  local key = KEYS[2] .. id
  local known = redis.call('HMGET', key, 'token', 'token_at', ARGV[2])
  -- Whoever registered since with another token, or anew with the same, is not meant.
  local is_meant = known[3] and known[1] == token
  if is_meant and outcome == 'gone' then
    if tonumber(known[2]) <= tonumber(detail) and forget_device(key, KEYS[1], id, ARGV[2]) then ended = ended + 1 end
  elseif is_meant then
    local why = outcome == 'refused' and ' ' .. detail or ''
    redis.call('HSET', key, ARGV[2] .. ':pushed', ARGV[3] .. ' ' .. ARGV[1] .. why)
  end
end
return ended
