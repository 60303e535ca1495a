-- keep-answer: keep the answer to a request that was carried out elsewhere, unless an equal one was faster.
-- KEYS  1 idempotency
-- ARGV  1 fingerprint of the request   2 response   3 idempotency retention (s)
-- Returns {'kept'} | {'replayed', response} | {'key_reused'}
-- uses: idempotency
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'kept' }
