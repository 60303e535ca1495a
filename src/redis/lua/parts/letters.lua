-- letters: a dead letter comes, or goes. LETTERS:classes counts them by the class of their work, LETTERS:tenants by whose
-- they are, LETTERS:reasons by why they were given up.
local function count_under(counts, name, change)
  if redis.call('HINCRBY', counts, name, change) <= 0 then redis.call('HDEL', counts, name) end
end

local function count_letter(letters, class, record, reason, change)
  redis.call('HINCRBY', letters .. ':classes', class, change)
  count_under(letters .. ':tenants', string.match(record, '^[^:]+'), change)
  count_under(letters .. ':reasons', reason, change)
end

local function add_letter(letters, class, record, lane, reason)
  count_letter(letters, class, record, reason, 1)
  return redis.call('XADD', letters, '*', 'r', record, 'l', lane, 'reason', reason, 'c', class)
end

local function remove_letter(letters, letter)
  local entry = redis.call('XRANGE', letters, letter, letter)[1]
  if not entry then return end
  redis.call('XDEL', letters, letter)
  local facts = entry[2]
  if facts[7] == 'c' then count_letter(letters, facts[8], facts[2], facts[6], -1) end
end
