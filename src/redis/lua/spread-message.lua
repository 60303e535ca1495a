-- spread-message: make a message a part of the next passes it is for. Passes that become active behind the cursor are
-- newer than the broadcast; those that were revoked meanwhile are left alone.
-- KEYS  1 job   2 passes by template (a broadcast's)   3 key prefix of the tenant's passes
-- ARGV  1 entry id (the lease)   2 lane   3 how many at most   4 now (ms)   5 pass id ('' = broadcast)   6 message id
-- Returns 'more' | 'done' | 'lost' (another worker has it)
if redis.call('HGET', KEYS[1], ARGV[2] .. ':entry') ~= ARGV[1] then return 'lost' end

local function put_on(pass)
  local key = KEYS[3] .. pass
  local status = redis.call('HGET', key, 'status')
  if not status or status == 'revoking' or status == 'revoked' then return end
  redis.call('HSET', key, 'message', ARGV[6] .. ' ' .. ARGV[4])
end

if ARGV[5] ~= '' then
  put_on(ARGV[5])
  return 'done'
end
local cursor = redis.call('HGET', KEYS[1], ARGV[2] .. ':cursor') or '-'
local score, member = string.match(cursor, '^(%S+) (%S+)$')
local skip = 0
if member then
  -- Of the passes of one instant, those up to the cursor are done.
  local rank = redis.call('ZRANK', KEYS[2], member)
  if rank then skip = rank + 1 else skip = redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. score) end
end
local passes = redis.call('ZRANGE', KEYS[2], skip, skip + tonumber(ARGV[3]) - 1, 'WITHSCORES')
if #passes == 0 then return 'done' end
for i = 1, #passes, 2 do put_on(passes[i]) end
redis.call('HSET', KEYS[1], ARGV[2] .. ':cursor', passes[#passes] .. ' ' .. passes[#passes - 1])
return #passes / 2 < tonumber(ARGV[3]) and 'done' or 'more'
