-- open-records: {pNN}:open names every record (job, delivery) that is not finished, with the instant (ms) since when. What
-- is nowhere to be found though it stands there was lost with a stream or a set, and the reconciler brings it back.
-- Where a record is named there, and how.
local function open_place(record_key)
  local partition = string.match(record_key, '^.-{p%d+}')
  return partition .. ':open', string.sub(record_key, #partition + 2)
end

-- `record_keys` are of one partition.
local function close_records(record_keys)
  if #record_keys == 0 then return end
  local open, first = open_place(record_keys[1])
  local names, from = { first }, #record_keys[1] - #first + 1
  for i = 2, #record_keys do names[i] = string.sub(record_keys[i], from) end
  redis.call('ZREM', open, unpack(names))
end

local function close_record(record_key) close_records({ record_key }) end
