-- set-template-status: archive a template, or make passes from it again.
-- KEYS  1 template
-- ARGV  1 active | archived
-- Returns 'changed' | 'same' | 'gone'
local current = redis.call('HGET', KEYS[1], 'status')
if not current then return 'gone' end
if current == ARGV[1] then return 'same' end
redis.call('HSET', KEYS[1], 'status', ARGV[1])
return 'changed'
