-- add-credits: add to the balance of a prepaid tenant.
-- KEYS  1 credits
-- ARGV  1 amount   2 largest balance
-- Returns {'added', balance} | {'contract'} | {'unknown'} | {'too_many'}
local facts = redis.call('HMGET', KEYS[1], 'mode', 'balance')
if not facts[1] then return { 'unknown' } end
if facts[1] ~= 'prepaid' then return { 'contract' } end
if tonumber(facts[2] or '0') + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return { 'too_many' } end
return { 'added', redis.call('HINCRBY', KEYS[1], 'balance', ARGV[1]) }
