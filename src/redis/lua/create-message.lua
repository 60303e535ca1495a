-- create-message: accept a message to a pass that is not revoked, or to all passes of a template.
-- KEYS  1 idempotency   2 message   3 messages   4 messages of the pass or template   5 pass ('' for a broadcast: the
--       message again)   6 job   7 queue   8 events   9 events message.sent   10 event counts
--       11 webhooks of message.sent   12 event body   13 outbox
-- ARGV  1 fingerprint of the request ('' = no key)   2 response   3 idempotency retention (s)
--       4 message id   5 now (ms)   6 wallets, separated by spaces   7 job record, relative to the partition
--       8 packed event   9 event id   10 webhook body   11 event body retention (s)   12 tenant id
--       13 '1' = to one pass   14 number of message fields, then these (name, value, …), then the job's fields
-- Returns {'created'} | {'replayed', response} | {'key_reused'} | {'invalid_state'}
-- uses: idempotency enqueue record-event announce message-status list-job
local earlier = earlier_answer(KEYS[1], ARGV[1])
if earlier then return earlier end
if ARGV[13] == '1' then
  local status = redis.call('HGET', KEYS[5], 'status')
  if not status or status == 'revoking' or status == 'revoked' then return { 'invalid_state' } end
end

local last_message_field = 14 + tonumber(ARGV[14])
redis.call('HSET', KEYS[2], unpack(ARGV, 15, last_message_field))
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4])
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
set_message_status(KEYS[2], KEYS[3], KEYS[4], ARGV[4], 'pending')

redis.call('HSET', KEYS[6], 'lanes', ARGV[6], unpack(ARGV, last_message_field + 1))
list_job(KEYS[6], ARGV[5])
for wallet in string.gmatch(ARGV[6], '%S+') do enqueue(KEYS[7], KEYS[6], ARGV[7], wallet) end

record_event(KEYS[8], KEYS[9], KEYS[10], 'message.sent', ARGV[5], ARGV[8])
announce(KEYS[11], KEYS[12], KEYS[13], ARGV[12], ARGV[9], 'message.sent', ARGV[10], ARGV[11])
keep_answer(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
return { 'created' }
