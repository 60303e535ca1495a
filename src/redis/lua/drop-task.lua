-- drop-task: forget work whose tenant is gone. Other lanes of the record find it gone, too.
-- KEYS  1 queue   2 record
-- ARGV  1 group   2 entry id (the lease)   3 lane
-- Returns 'dropped' | 'lost' (another worker has it)
-- uses: release open-records
if redis.call('HGET', KEYS[2], ARGV[3] .. ':entry') ~= ARGV[2] then return 'lost' end
release(KEYS[1], ARGV[1], ARGV[2])
close_record(KEYS[2])
redis.call('UNLINK', KEYS[2])
return 'dropped'
