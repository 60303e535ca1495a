-- idempotency: what an Idempotency-Key stands for. `key` is '' where the caller gave none.
local function earlier_answer(key, fingerprint)
  if fingerprint == '' then return nil end
  local kept = redis.call('HMGET', key, 'fingerprint', 'response')
  if not kept[1] then return nil end
  if kept[1] ~= fingerprint then return { 'key_reused' } end
  return { 'replayed', kept[2] }
end

local function keep_answer(key, fingerprint, response, seconds)
  if fingerprint == '' then return end
  redis.call('HSET', key, 'fingerprint', fingerprint, 'response', response)
  redis.call('EXPIRE', key, seconds)
end
