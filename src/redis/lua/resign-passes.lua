-- resign-passes: let phones fetch the next of a tenant's passes that they have, as these are; those that were revoked are left
-- alone. The passes are marked, counted and the cursor moved in one step. They come again, unmarked, until the caller says that
-- it has told their phones: who takes over from a worker that died begins with the same.
-- KEYS  1 count of the task   2 passes of the tenant   3 key prefix of the tenant's passes
-- ARGV  1 fence   2 now (ms)   3 how many are looked at at most   4 how many are marked at most
--       5 passes that are younger need it not (ms)   6 cursor up to which phones have been told ('' = not said)
--       7 how many of these passes some phone could not be told of   8 retention (s)
-- Returns {'more', cursor behind these, pass id, number of its change, …} | {'done'}
--         | {'lost'} (somebody else does the task)
-- uses: mark-changed after-cursor
local count = redis.call('HMGET', KEYS[1], 'fence', 'told', 'marked')
if count[1] ~= ARGV[1] then return { 'lost' } end
local told, marked = count[2], count[3]
-- What was said before is not counted again.
if ARGV[6] ~= '' and ARGV[6] == marked and told ~= marked then
  redis.call('HINCRBY', KEYS[1], 'untold', ARGV[7])
  redis.call('HSET', KEYS[1], 'told', marked)
  told = marked
end

local marks = told == marked
local skip = rank_after(KEYS[2], told or nil)
local passes = redis.call('ZRANGE', KEYS[2], skip, skip + tonumber(ARGV[3]) - 1, 'WITHSCORES')
local found, looked, devices, cursor = {}, 0, 0, nil
for i = 1, #passes, 2 do
  if tonumber(passes[i + 1]) > tonumber(ARGV[5]) or #found / 2 >= tonumber(ARGV[4]) then break end
  looked, cursor = looked + 1, passes[i + 1] .. ' ' .. passes[i]
  local pass = KEYS[3] .. passes[i]
  local phones = redis.call('SCARD', pass .. ':devices')
  local status = phones > 0 and redis.call('HGET', pass, 'status')
  if status and status ~= 'revoking' and status ~= 'revoked' then
    if marks then
      mark_changed(pass, ARGV[2])
      devices = devices + phones
    end
    found[#found + 1] = passes[i]
    found[#found + 1] = redis.call('HGET', pass, 'change') or '0'
  end
  if not marks and cursor == marked then break end
end
if not cursor then return { 'done' } end
if marks then
  redis.call('HINCRBY', KEYS[1], 'looked_at', looked)
  redis.call('HINCRBY', KEYS[1], 'renewed', #found / 2)
  redis.call('HINCRBY', KEYS[1], 'devices', devices)
  redis.call('HSET', KEYS[1], 'marked', cursor)
end
redis.call('EXPIRE', KEYS[1], ARGV[8])
return { 'more', cursor, unpack(found) }
