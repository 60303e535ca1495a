-- spread-message: make a message a part of the next passes it is for. Passes that become active behind the cursor are
-- newer than the broadcast; those that were revoked meanwhile are left alone. Which these are is told each time until the
-- caller says that it has told their devices: who takes over from a worker that died begins with the same.
-- KEYS  1 job   2 passes by template (a broadcast's)   3 key prefix of the tenant's passes
-- ARGV  1 entry id (the lease)   2 lane   3 how many at most   4 now (ms)   5 pass id ('' = broadcast)   6 message id
--       7 cursor up to which devices have been told ('' = none have)
-- Returns {'more' | 'done', cursor behind these, pass id, number of its change, …} | {'lost'} (another worker has it)
-- uses: mark-changed after-cursor
if redis.call('HGET', KEYS[1], ARGV[2] .. ':entry') ~= ARGV[1] then return { 'lost' } end

local touched = {}
local function put_on(pass)
  local key = KEYS[3] .. pass
  local known = redis.call('HMGET', key, 'status', 'message')
  if not known[1] or known[1] == 'revoking' or known[1] == 'revoked' then return end
  if not known[2] or string.match(known[2], '^%S+') ~= ARGV[6] then
    redis.call('HSET', key, 'message', ARGV[6] .. ' ' .. ARGV[4])
    mark_changed(key, ARGV[4])
  end
  touched[#touched + 1] = pass
  touched[#touched + 1] = redis.call('HGET', key, 'change')
end

if ARGV[5] ~= '' then
  put_on(ARGV[5])
  return { 'done', '', unpack(touched) }
end
local place = ARGV[2] .. ':cursor'
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], place, ARGV[7]) end
local skip = rank_after(KEYS[2], redis.call('HGET', KEYS[1], place))
local passes = redis.call('ZRANGE', KEYS[2], skip, skip + tonumber(ARGV[3]) - 1, 'WITHSCORES')
if #passes == 0 then return { 'done', '' } end
for i = 1, #passes, 2 do put_on(passes[i]) end
local cursor = passes[#passes] .. ' ' .. passes[#passes - 1]
return { #passes / 2 < tonumber(ARGV[3]) and 'done' or 'more', cursor, unpack(touched) }
