-- delete-webhook: take a webhook away, its subscriptions, and the list of its deliveries. Deliveries that wait are left
-- to whoever finds them due, parked ones to whoever tends breakers.
-- KEYS  1 idempotency   2 webhook   3 webhooks   4 its deliveries   5 breakers   6 its parked deliveries
--       7… webhooks of each event type
-- ARGV  1 fingerprint of the request ('' = no key)   2 idempotency retention (s)   3 webhook id
--       4 webhook, as the breakers name it
-- Returns {'deleted'} | {'replayed', ''} | {'key_reused'} | {'not_found'}
-- uses: idempotency breaker
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
if redis.call('DEL', KEYS[2]) == 0 then return { 'not_found' } end
redis.call('ZREM', KEYS[3], ARGV[3])
redis.call('UNLINK', KEYS[4])
close_breaker(KEYS[2], KEYS[5], KEYS[6], ARGV[4])
for i = 7, #KEYS do redis.call('SREM', KEYS[i], ARGV[3]) end
keep_answer(KEYS[1], ARGV[1], '', ARGV[2])
return { 'deleted' }
