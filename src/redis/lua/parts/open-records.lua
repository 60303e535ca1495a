-- open-records: {pNN}:open names every record (job, delivery) that is not finished, with the instant (s) since when. What
-- is nowhere to be found though it stands there was lost with a stream or a set, and the reconciler brings it back.
local function partition_of(key) return string.match(key, '^.-{p%d+}') end

local function open_record(record_key, record, at) redis.call('ZADD', partition_of(record_key) .. ':open', 'NX', at, record) end

local function close_record(record_key)
  local partition = partition_of(record_key)
  redis.call('ZREM', partition .. ':open', string.sub(record_key, #partition + 2))
end
