-- release: take an entry off its stream. Acknowledged without deletion it would stay for ever, deleted without
-- acknowledgement it would stay pending for ever.
local function release(stream, group, entry)
  redis.call('XACK', stream, group, entry)
  redis.call('XDEL', stream, entry)
end
