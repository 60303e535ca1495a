-- open-records: {pNN}:open names every record (job, delivery) that is not finished, with the instant (s) since when. What
-- is nowhere to be found though it stands there was lost with a stream or a set, and the reconciler brings it back.
-- Where a record is named there, and how.
local function open_place(record_key)
  local partition = string.match(record_key, '^.-{p%d+}')
  return partition .. ':open', string.sub(record_key, #partition + 2)
end

local function close_record(record_key) redis.call('ZREM', open_place(record_key)) end
