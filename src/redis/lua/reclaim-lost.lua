-- reclaim-lost: give work whose worker has not shown itself for a whole lease to whoever comes next. It waits anew, so
-- the old worker, should it wake up, can settle nothing.
-- KEYS  1 queue
-- ARGV  1 group   2 consumer   3 lease (ms)   4 cursor   5 how many at most   6 the partition's key prefix
-- Returns {next cursor ('0-0' = round complete), reclaimed}
-- uses: enqueue release
local claimed = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], 'COUNT', ARGV[5])
local reclaimed = 0
for _, entry in ipairs(claimed[2]) do
  local record, lane = entry[2][2], entry[2][4]
  local key = ARGV[6] .. ':' .. record
  if redis.call('HGET', key, lane .. ':entry') == entry[1] then
    enqueue_first(KEYS[1], key, record, lane)
    reclaimed = reclaimed + 1
  end
  release(KEYS[1], ARGV[1], entry[1])
end
return { claimed[1], reclaimed }
