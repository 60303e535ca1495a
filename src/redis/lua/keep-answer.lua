-- keep-answer: keep the answer to a request that found what it asked for, unless its key has one.
-- KEYS  1 idempotency
-- ARGV  1 fingerprint of the request   2 response   3 retention (s)
-- Returns {'kept', response} | {'replayed', response} | {'key_reused'}
-- uses: idempotency
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'kept', ARGV[2] }
