-- take-call-turns: let calls of one account at a wallet be made now, as far as there is room in the sliding window; and give
-- each of the others the instant at which its turn comes. Who has stood in line goes first; the others join their line, and
-- each line moves at the rate of all, since most of the time there is only one. The window is counted in ticks: `at` ->
-- calls that began within a tick from then on.
-- KEYS  1 calls of the account
-- ARGV  1 calls in a window   2 window (ms)   3 tick (ms)   4… line, '1' where it was stood in already: of each call
-- Returns for each call 0 where it may be made now, or how long its turn takes to come (ms)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, window, tick = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local between = window / most

local used, free_at, held, ends, gone = 0, now, 0, {}, {}
local facts = redis.call('HGETALL', KEYS[1])
for i = 1, #facts, 2 do
  local name, value = facts[i], tonumber(facts[i + 1])
  local line = string.match(name, '^line:(.*)$')
  if line then
    if value > now then ends[line] = value else gone[#gone + 1] = name end
  elseif name == 'held' then
    held = value
  elseif tonumber(name) then
    if tonumber(name) + tick + window > now then used = used + value else gone[#gone + 1] = name end
  end
end
-- At first, and also where nothing is gone: what begins with a deletion is carried out when there is no memory left, too.
redis.call('HDEL', KEYS[1], '', unpack(gone))
if used >= most then
  free_at = math.huge
  for i = 1, #facts, 2 do
    local leaves = (tonumber(facts[i]) or math.huge) + tick + window
    if leaves > now then free_at = math.min(free_at, leaves) end
  end
end

-- Those that come at about the same time come together, so that they can go out as one request.
local together = window / 4
local function rounded(at) return at - now < together and at or math.ceil(at / together) * together end

local waits, granted, latest = {}, 0, math.max(now, held)
local function turn(i, line, has_waited)
  if now >= held and used + granted < most and (has_waited or not ends[line]) then
    granted, waits[i] = granted + 1, 0
    return
  end
  local at = math.max(ends[line] or 0, held, free_at, now + 1)
  ends[line] = at + between
  latest = math.max(latest, ends[line])
  redis.call('HSET', KEYS[1], 'line:' .. line, string.format('%.3f', ends[line]))
  waits[i] = math.ceil(rounded(at) - now)
end
local calls = (#ARGV - 3) / 2
for i = 1, calls do if ARGV[2 * i + 3] == '1' then turn(i, '', true) end end
for i = 1, calls do if ARGV[2 * i + 3] ~= '1' then turn(i, ARGV[2 * i + 2], false) end end

if granted > 0 then redis.call('HINCRBY', KEYS[1], string.format('%.0f', math.floor(now / tick) * tick), granted) end
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', math.ceil(latest + window + 120000)))
return waits
