-- update-webhook: change a webhook and what it is subscribed to, unless it is no more what the change was made from.
-- KEYS  1 idempotency   2 webhook   3 breakers   4 its parked deliveries   5… webhooks of each event type
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)   4 webhook id
--       5 url   6 events   7 is_active   8 secret prefix, all as they were read
--       9 webhook, as the breakers name it   10 '1' when its breaker is to close, else '0'
--       11 for each type in the order of KEYS whether the webhook gets it from now on, such as '1001000'
--       12… changed fields (name, value, …), none where nothing changes
-- Returns {'updated'} | {'replayed', response} | {'key_reused'} | {'not_found'} | {'changed'}
-- uses: idempotency breaker
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
local now = redis.call('HMGET', KEYS[2], 'url', 'events', 'is_active', 'secret_prefix')
if not now[1] then return { 'not_found' } end
for i = 1, 4 do
  if now[i] ~= ARGV[i + 4] then return { 'changed' } end
end
if #ARGV >= 12 then redis.call('HSET', KEYS[2], unpack(ARGV, 12)) end
if ARGV[10] == '1' then
  redis.call('HINCRBY', KEYS[2], 'reset', 1)
  close_breaker(KEYS[2], KEYS[3], KEYS[4], ARGV[9])
end
for i = 5, #KEYS do
  local subscribed = string.sub(ARGV[11], i - 4, i - 4) == '1'
  redis.call(subscribed and 'SADD' or 'SREM', KEYS[i], ARGV[4])
end
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'updated' }
