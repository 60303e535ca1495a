-- grant-paid-session: add what a paid session bought to a prepaid tenant's balance, once in all time.
-- KEYS  1 tenant   2 credits   3 paid sessions
-- ARGV  1 session id   2 credits   3 what is remembered of it (JSON)
-- Returns 'granted' | 'granted_before' | 'no_tenant' (or one that is being deleted) | 'contract'
-- uses: credits
local status = redis.call('HGET', KEYS[1], 'status')
if not status or status == 'deleting' then return 'no_tenant' end
if redis.call('HGET', KEYS[2], 'mode') ~= 'prepaid' then return 'contract' end
if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then return 'granted_before' end
-- What can fail comes first: a script that fails keeps what it has written.
move_credits(KEYS[2], 'balance', tonumber(ARGV[2]), 'top_up', ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
return 'granted'
