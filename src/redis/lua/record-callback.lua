-- record-callback: Google says that a pass was saved or removed: write it with its event, once for each nonce. What was said
-- before something that is written already comes late, and does not change the standing.
-- KEYS  1 pass   2 nonce   3 events   4 events by type   5 event counts
-- ARGV  1 now (ms)   2 packed event   3 type   4 'saved' | 'removed'   5 the end of what was said (ms)   6 how long its nonce is kept (ms)
-- Returns 'recorded' | 'repeated' | 'gone' (there is no such pass)
-- uses: record-event
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[6]) then return 'repeated' end
local latest = redis.call('HGET', KEYS[1], 'google:said')
if not latest or tonumber(latest) <= tonumber(ARGV[5]) then
  redis.call('HSET', KEYS[1], 'google:said', ARGV[5], 'google:' .. ARGV[4], ARGV[1])
  if ARGV[4] == 'saved' then redis.call('HDEL', KEYS[1], 'google:removed') end
end
record_event(KEYS[3], KEYS[4], KEYS[5], ARGV[3], ARGV[1], ARGV[2])
return 'recorded'
