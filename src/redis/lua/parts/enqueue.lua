-- enqueue: let work wait for a worker. `queue` is the key of the class; what waits lies in QUEUE:ready, and what is in
-- somebody's hands on the stream QUEUE itself.
-- Tenants take turns (start-time fair queueing, Goyal, Vin and Cheng 1996): the next of a tenant comes one turn behind
-- its last, and not before the turn that is served. So who has nothing waiting yet goes next, however much of somebody
-- else's waits. QUEUE:turns holds each tenant's next turn, and `now`, the one that is served.
-- uses: open-records
local function ring(queue) redis.call('XADD', queue .. ':bell', 'MAXLEN', 1, '*', 'q', '') end

-- Lets each {record key, record, lane, turn, fields} wait at its turn; `fields` are written to the record besides.
local function wait_at_turns(queue, waiting)
  local time = redis.call('TIME')
  -- No lease, but since when it waits.
  local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  local since = '@' .. at
  local ready, open_key, open, none = {}, open_place(queue), {}, {}
  for i, one in ipairs(waiting) do
    local key, record, lane, turn, fields = unpack(one)
    redis.call('HSET', key, lane .. ':entry', since, lane .. ':state', 'queued', unpack(fields or none))
    ready[2 * i - 1], ready[2 * i] = turn, record .. ' ' .. lane
    open[2 * i - 1], open[2 * i] = at, record
  end
  redis.call('ZADD', queue .. ':ready', unpack(ready))
  redis.call('ZADD', open_key, 'NX', unpack(open))
end

-- The turns of so many more pieces of work, given whose they are; they are taken.
local function take_turns(queue, tenants)
  local key, names, known = queue .. ':turns', { 'now' }, {}
  for _, tenant in ipairs(tenants) do
    if not known[tenant] then
      known[tenant] = true
      names[#names + 1] = tenant
    end
  end
  local found = redis.call('HMGET', key, unpack(names))
  local now, own, is_news = tonumber(found[1] or '0'), {}, false
  for i = 2, #names do
    own[names[i]] = math.max(tonumber(found[i] or '0'), now)
    is_news = is_news or own[names[i]] == now
  end
  local turns, changes = {}, {}
  for i, tenant in ipairs(tenants) do
    turns[i] = own[tenant]
    own[tenant] = own[tenant] + 1
  end
  for tenant, turn in pairs(own) do
    changes[#changes + 1] = tenant
    changes[#changes + 1] = turn
  end
  redis.call('HSET', key, unpack(changes))
  return turns, is_news
end

-- So many at once are far from what a Lua stack holds.
local most_at_once = 500

-- Lets each {record key, record, lane, fields} wait in its tenant's turn.
local function enqueue_all(queue, work)
  for first = 1, #work, most_at_once do
    local waiting, tenants = {}, {}
    for i = first, math.min(#work, first + most_at_once - 1) do
      tenants[#tenants + 1] = string.match(work[i][2], '^[^:]+')
    end
    local turns, is_news = take_turns(queue, tenants)
    for i, turn in ipairs(turns) do
      local key, record, lane, fields = unpack(work[first + i - 1])
      waiting[i] = { key, record, lane, turn, fields }
    end
    wait_at_turns(queue, waiting)
    -- Where more of a tenant's waits already, a worker is on its way or has its hands full.
    if is_news or redis.call('ZCARD', queue .. ':ready') == #waiting then ring(queue) end
  end
end

local function enqueue(queue, record_key, record, lane) enqueue_all(queue, { { record_key, record, lane } }) end

-- The same for work that was taken before: it goes ahead of all that was not.
local function enqueue_first(queue, record_key, record, lane)
  local now = tonumber(redis.call('HGET', queue .. ':turns', 'now') or '0')
  wait_at_turns(queue, { { record_key, record, lane, now - 1 } })
  ring(queue)
end

-- Takes back what waits; answers with the turn that it had, where it waited.
local function withdraw(queue, record, lane)
  local member = record .. ' ' .. lane
  local turn = redis.call('ZSCORE', queue .. ':ready', member)
  redis.call('ZREM', queue .. ':ready', member)
  return turn
end
