-- missed: since when a lease has had no entry on its stream, which takes somebody who deletes streams. A worker that
-- lives says with every heartbeat that it was just now.
local function time_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function note_missed(key, lane, entry)
  redis.call('HSET', key, lane .. ':missed', entry .. string.format(' %.0f', time_ms()))
end

-- For how long (ms); 0 when this is the first to see it.
local function missed_for(key, lane, entry)
  local noted, since = string.match(redis.call('HGET', key, lane .. ':missed') or '', '^(%S+) (%d+)$')
  if noted == entry then return time_ms() - tonumber(since) end
  note_missed(key, lane, entry)
  return 0
end
