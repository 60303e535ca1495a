-- begin-restore: begin to restore into a partition, or go on with it. Whoever did so before can change nothing more.
-- KEYS  1 how far the restore has come
-- ARGV  1 the restore   2 holder
-- Returns the position: number of the last record that is in place, 0 at the beginning
if redis.call('HGET', KEYS[1], 'restore') ~= ARGV[1] then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'restore', ARGV[1], 'position', 0)
end
redis.call('HSET', KEYS[1], 'holder', ARGV[2])
return tonumber(redis.call('HGET', KEYS[1], 'position'))
