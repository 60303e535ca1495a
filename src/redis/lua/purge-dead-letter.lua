-- purge-dead-letter: forget a dead letter. Its record expires from now on as any that is finished, a job once no other
-- lane of it has a dead letter.
-- KEYS  1 dead letters   2 job or delivery   3 event body (a delivery's)   4 dead deliveries of the event
-- ARGV  1 dead letter (entry id)   2 lane   3 record, relative to the partition   4 retention (s)
-- Returns 'purged' | 'missing' (somebody else has dealt with it)
-- uses: dead-letter
local obstacle = letter_obstacle(KEYS[1], ARGV[1], KEYS[2], ARGV[2])
if obstacle == 'missing' then return obstacle end
if obstacle == 'record_gone' then
  remove_letter(KEYS[1], ARGV[1])
  return 'purged'
end
take_letter(KEYS[1], ARGV[1], KEYS[2], ARGV[2])
local facts = redis.call('HMGET', KEYS[2], 'lanes', 'status')
if not facts[1] then
  let_body_go(KEYS[3], KEYS[4], ARGV[3], ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[4])
  return 'purged'
end
for lane in string.gmatch(facts[1], '%S+') do
  if redis.call('HEXISTS', KEYS[2], lane .. ':dead') == 1 then return 'purged' end
end
-- A job that is at work expires when it ends.
if facts[2] == 'failed' then redis.call('EXPIRE', KEYS[2], ARGV[4]) end
return 'purged'
