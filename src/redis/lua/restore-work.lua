-- restore-work: let the work of a backup wait again, and count that in the same step, since twice would be too often. What
-- was in somebody's hands goes first. A dead letter keeps its id where it can: ids only grow.
-- KEYS  1 how far the restore has come   2 open records   3 dead letters   4 outbox   5 breakers
--       6… queues, one for each class
-- ARGV  1 holder   2 position before   3 position after   4 the partition's key prefix   5… the classes, in the order of
--       the queues   last: JSON of the work, as the backup names it
-- Returns 'restored' | 'lost' (somebody else restores, or has done this)
-- uses: enqueue delay letters
local place = redis.call('HMGET', KEYS[1], 'holder', 'position')
if place[1] ~= ARGV[1] or place[2] ~= ARGV[2] then return 'lost' end
local queues = {}
for i = 5, #ARGV - 1 do queues[ARGV[i]] = KEYS[i + 1] end

local restore = {}

function restore.open(record, since)
  local key = ARGV[4] .. ':' .. record
  local facts = redis.call('HMGET', key, 'status', 'class', 'lanes')
  if not facts[1] then return end
  redis.call('ZADD', KEYS[2], since, record)
  local queue = queues[facts[2] or 'webhooks']
  for lane in string.gmatch(facts[3] or 'send', '%S+') do
    local state = redis.call('HGET', key, lane .. ':state')
    if state == 'queued' then enqueue(queue, key, record, lane)
    elseif state == 'running' then enqueue_first(queue, key, record, lane) end
  end
end

function restore.delayed(class, member, due)
  local record, lane = string.match(member, '^(%S+) (%S+)$')
  delay(queues[class], record, lane, due)
end

function restore.dead(entry, ...)
  local fields, facts = { ... }, {}
  for i = 1, #fields, 2 do facts[fields[i]] = fields[i + 1] end
  local key = ARGV[4] .. ':' .. facts.r
  if redis.call('EXISTS', key) == 0 then return end
  local letter = redis.pcall('XADD', KEYS[3], entry, ...)
  if type(letter) == 'table' then letter = redis.call('XADD', KEYS[3], '*', ...) end
  if facts.c then count_letter(KEYS[3], facts.c, facts.r, facts.reason, 1) end
  redis.call('HSET', key, facts.l .. ':dead', letter)
end

function restore.outbox(...) redis.call('XADD', KEYS[4], '*', ...) end

function restore.breaker(member, look_at) redis.call('ZADD', KEYS[5], look_at, member) end

for _, one in ipairs(cjson.decode(ARGV[#ARGV])) do restore[one[1]](unpack(one, 2)) end
redis.call('HSET', KEYS[1], 'position', ARGV[3])
return 'restored'
