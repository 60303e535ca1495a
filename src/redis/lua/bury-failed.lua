-- bury-failed: make dead letters of a job's lanes that failed for good, without any, for a reason that can be put right: they
-- can be replayed then.
-- KEYS  1 job   2 dead letters
-- ARGV  1 job record, relative to the partition   2 the error code that is meant
-- Returns how many dead letters there are more
-- uses: letters
local job = redis.call('HMGET', KEYS[1], 'status', 'error', 'lanes', 'class')
if job[1] ~= 'failed' or not job[2] or cjson.decode(job[2]).code ~= ARGV[2] then return 0 end
local buried = 0
for lane in string.gmatch(job[3] or '', '%S+') do
  local at = redis.call('HMGET', KEYS[1], lane .. ':state', lane .. ':dead')
  if at[1] == 'failed' and not at[2] then
    redis.call('HSET', KEYS[1], lane .. ':dead', add_letter(KEYS[2], job[4], ARGV[1], lane, ARGV[2]))
    buried = buried + 1
  end
end
-- A job with a dead letter stays until somebody has dealt with that.
if buried > 0 then redis.call('PERSIST', KEYS[1]) end
return buried
