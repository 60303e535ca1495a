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

-- An entry that is pending for nobody is what half a transaction leaves behind, when a Redis that was killed while it wrote
-- its append-only file is started without `redis-check-aof --fix`. Nobody would ever take it away.
local is_round_complete = claimed[1] == '0-0'
if is_round_complete and redis.call('XLEN', KEYS[1]) > redis.call('XPENDING', KEYS[1], ARGV[1])[1] then
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[5])) do
    local id, record, lane = entry[1], entry[2][2], entry[2][4]
    local is_pending = #redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1) > 0
    -- What its record says is in hand is somebody's who will renew it, or is found by `reconcile`.
    if not is_pending and redis.call('HGET', ARGV[6] .. ':' .. record, lane .. ':entry') ~= id then
      redis.call('XDEL', KEYS[1], id)
    end
  end
end
return { claimed[1], reclaimed }
