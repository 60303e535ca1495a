-- record-view: note that somebody opened the page or the file of a pass.
-- KEYS  1 pass   2 events   3 events by type   4 event counts
-- ARGV  1 now (ms)   2 packed event
-- Returns 'recorded' | 'gone' (there is no such pass any more)
-- uses: record-event
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
record_event(KEYS[2], KEYS[3], KEYS[4], 'pass.viewed', ARGV[1], ARGV[2])
return 'recorded'
