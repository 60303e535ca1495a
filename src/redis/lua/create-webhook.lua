-- create-webhook: register a webhook, unless the tenant has too many.
-- KEYS  1 idempotency   2 webhook   3 webhooks   4… webhooks of each subscribed event type
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 webhook id   5 now (ms)   6 most webhooks of a tenant   7… the webhook's fields
-- Returns {'created'} | {'replayed', response} | {'key_reused'} | {'too_many'}
-- uses: idempotency
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return { 'too_many' } end
redis.call('HSET', KEYS[2], unpack(ARGV, 7))
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4])
for i = 4, #KEYS do redis.call('SADD', KEYS[i], ARGV[4]) end
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'created' }
