-- sift-open: which of a stretch of a partition's unfinished records have names that begin so, the newest first. Writes nothing.
-- KEYS  1 open
-- ARGV  1 what their names begin with   2 how many newer ones are passed over   3 how many are looked at
-- Returns {how many there were to be looked at, name, …}
local names = redis.call('ZREVRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1)
local found, length = { #names }, #ARGV[1]
for _, name in ipairs(names) do
  if string.sub(name, 1, length) == ARGV[1] then found[#found + 1] = name end
end
return found
