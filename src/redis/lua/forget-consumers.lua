-- forget-consumers: drop the names of workers that are gone. Redis forgets what a deleted consumer has pending, so only
-- those go that have nothing; looking and deleting are one step.
-- KEYS  1 queue
-- ARGV  1 group   2 silent for at least (ms)
-- Returns how many went
local consumers = redis.pcall('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])
if consumers.err then return 0 end
local gone = 0
for _, facts in ipairs(consumers) do
  local consumer = {}
  for i = 1, #facts, 2 do consumer[facts[i]] = facts[i + 1] end
  if consumer.pending == 0 and consumer.idle >= tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
    gone = gone + 1
  end
end
return gone
