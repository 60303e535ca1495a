-- letters: a dead letter comes, or goes. LETTERS:classes counts them by the class of their work.
local function add_letter(letters, class, record, lane, reason)
  redis.call('HINCRBY', letters .. ':classes', class, 1)
  return redis.call('XADD', letters, '*', 'r', record, 'l', lane, 'reason', reason, 'c', class)
end

local function remove_letter(letters, letter)
  local entry = redis.call('XRANGE', letters, letter, letter)[1]
  if not entry then return end
  redis.call('XDEL', letters, letter)
  if entry[2][7] == 'c' then redis.call('HINCRBY', letters .. ':classes', entry[2][8], -1) end
end
