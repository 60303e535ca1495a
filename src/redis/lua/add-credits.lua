-- add-credits: add to the balance of a prepaid tenant.
-- KEYS  1 credits
-- ARGV  1 amount   2 largest balance   3 who adds them
-- Returns {'added', balance} | {'contract'} | {'unknown'} | {'too_many'}
-- uses: credits
local facts = redis.call('HMGET', KEYS[1], 'mode', 'balance')
if not facts[1] then return { 'unknown' } end
if facts[1] ~= 'prepaid' then return { 'contract' } end
if tonumber(facts[2] or '0') + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return { 'too_many' } end
return { 'added', move_credits(KEYS[1], 'balance', tonumber(ARGV[1]), 'added', ARGV[3]) }
