-- joined-runs: several runs of one script as one. Each has its own keys and arguments, and what goes wrong in one
-- is its own affair: the others are done nevertheless. In a cluster all of their keys
-- share a slot.
-- KEYS  the keys of each run, one after the other
-- ARGV  1 number of runs, then for each the number of its keys, the number of its arguments, and these
-- Returns {{1, reply} | {0, error}, …}
local replies, key, argument = {}, 0, 1
for _ = 1, ARGV[1] do
  local keys, arguments = {}, {}
  for i = 1, ARGV[argument + 1] do keys[i] = KEYS[key + i] end
  for i = 1, ARGV[argument + 2] do arguments[i] = ARGV[argument + 2 + i] end
  key, argument = key + #keys, argument + 2 + #arguments
  local is_done, reply = pcall(run, keys, arguments)
  if is_done then
    replies[#replies + 1] = { 1, reply }
  else
    replies[#replies + 1] = { 0, type(reply) == 'table' and reply.err or tostring(reply) }
  end
end
return replies
