-- hasten-job: let what a job has put off be tried at once. It is the attempt that was due later, and counts as that.
-- KEYS  1 job   2 queue
-- ARGV  1 job record, relative to the partition
-- Returns the lanes that wait for a worker now, separated by spaces
-- uses: enqueue delay
local hastened = {}
for lane in string.gmatch(redis.call('HGET', KEYS[1], 'lanes') or '', '%S+') do
  if redis.call('HGET', KEYS[1], lane .. ':state') == 'retrying' then
    undelay(KEYS[2], ARGV[1], lane)
    enqueue(KEYS[2], KEYS[1], ARGV[1], lane)
    hastened[#hastened + 1] = lane
  end
end
return table.concat(hastened, ' ')
