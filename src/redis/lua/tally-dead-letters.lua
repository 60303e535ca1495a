-- tally-dead-letters: how many of a stretch of a partition's dead letters are of each kind and reason. Writes nothing.
-- KEYS  1 dead letters
-- ARGV  1 where the stretch begins   2 where it ends   3 how many entries are looked at
--       4 only this tenant's   5 only records of this kind   6 only this reason; each may be empty
-- Returns {how many entries there were to be looked at, the last one's id or '', then for each kind and reason: kind, reason,
-- number, id of the oldest, id of the newest, …}
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])
local tenant, kind_wanted, reason_wanted = ARGV[4], ARGV[5], ARGV[6]
local tallies, order = {}, {}
for _, entry in ipairs(entries) do
  local fields, record, reason = entry[2], '', ''
  for i = 1, #fields, 2 do
    if fields[i] == 'r' then record = fields[i + 1] elseif fields[i] == 'reason' then reason = fields[i + 1] end
  end
  local owner, kind = string.match(record, '^([^:]*):([^:]*)')
  if (kind == 'job' or kind == 'delivery')
    and (tenant == '' or owner == tenant)
    and (kind_wanted == '' or kind == kind_wanted)
    and (reason_wanted == '' or reason == reason_wanted) then
    local name = kind .. ' ' .. reason
    local tally = tallies[name]
    if tally == nil then
      tally = { kind, reason, 0, entry[1], entry[1] }
      tallies[name] = tally
      order[#order + 1] = tally
    end
    tally[3] = tally[3] + 1
    tally[5] = entry[1]
  end
end
local reply = { #entries, #entries == 0 and '' or entries[#entries][1] }
for _, tally in ipairs(order) do
  for _, value in ipairs(tally) do reply[#reply + 1] = value end
end
return reply
