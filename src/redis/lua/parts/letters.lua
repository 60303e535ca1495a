-- letters: a dead letter comes, or goes. LETTERS:classes counts them by the class of their work, LETTERS:tenants by whose
-- they are.
local function count_letter(letters, class, record, change)
  redis.call('HINCRBY', letters .. ':classes', class, change)
  local tenant = string.match(record, '^[^:]+')
  if redis.call('HINCRBY', letters .. ':tenants', tenant, change) <= 0 then
    redis.call('HDEL', letters .. ':tenants', tenant)
  end
end

local function add_letter(letters, class, record, lane, reason)
  count_letter(letters, class, record, 1)
  return redis.call('XADD', letters, '*', 'r', record, 'l', lane, 'reason', reason, 'c', class)
end

local function remove_letter(letters, letter)
  local entry = redis.call('XRANGE', letters, letter, letter)[1]
  if not entry then return end
  redis.call('XDEL', letters, letter)
  local facts = entry[2]
  if facts[7] == 'c' then count_letter(letters, facts[8], facts[2], -1) end
end
