-- unregister-device: a pass was removed from a device.
-- KEYS  1 devices of the pass   2 device   3 pass   4 events   5 events pass.uninstalled   6 event counts
-- ARGV  1 now (ms)   2 device id   3 pass id   4 packed event
-- Returns 'unregistered' | 'unknown'
-- uses: forget-device record-event
if not forget_device(KEYS[2], KEYS[1], ARGV[2], ARGV[3]) then return 'unknown' end
if redis.call('EXISTS', KEYS[3]) == 1 then
  record_event(KEYS[4], KEYS[5], KEYS[6], 'pass.uninstalled', ARGV[1], ARGV[4])
end
return 'unregistered'
