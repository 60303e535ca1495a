-- settle-delivery: write one attempt of a delivery and what follows from it.
-- KEYS  1 queue   2 delivery   3 retry set   4 dead letters   5 event body
--       6 dead deliveries of the event
-- ARGV  1 group   2 entry id (the lease)   3 number of the attempt   4 attempt (JSON)
--       5 delivered | retrying | dead_lettered   6 due at (ms, '' unless retrying)   7 retry member
--       8 delivery record, relative to the partition   9 reason   10 retention (s)
-- Returns 'settled' | 'lost' (another worker has it)
-- uses: release open-records
if redis.call('HGET', KEYS[2], 'send:entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], 'attempt:' .. ARGV[3], ARGV[4], 'status', ARGV[5], 'send:entry', '', 'next_at', ARGV[6])
if ARGV[5] == 'retrying' then
  redis.call('HSET', KEYS[2], 'send:state', 'retrying')
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[7])
elseif ARGV[5] == 'delivered' then
  close_record(KEYS[2])
  redis.call('HSET', KEYS[2], 'send:state', 'done')
  redis.call('EXPIRE', KEYS[2], ARGV[10])
else
  close_record(KEYS[2])
  -- A dead letter keeps its payload until somebody has dealt with it.
  local letter = redis.call('XADD', KEYS[4], '*', 'r', ARGV[8], 'l', 'send', 'reason', ARGV[9])
  redis.call('HSET', KEYS[2], 'send:state', 'failed', 'send:dead', letter)
  redis.call('PERSIST', KEYS[5])
  redis.call('SADD', KEYS[6], ARGV[8])
end
return 'settled'
