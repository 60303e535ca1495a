-- claim-tasks: take waiting work of one partition, class after class, in its tenants' turn, and count the attempt that
-- now begins. What is taken gets an entry on the stream of its class, pending for the worker: its id is the lease.
-- Which records wait is known only after the read, so their keys are made here; all share the slot.
-- KEYS  1… queues, in the order in which they are served
-- ARGV  1 group   2 consumer   3 how many at most   4 now (ms)   5 the partition's key prefix
--       6… tenants that are passed over, because they have their share already
-- Returns JSON, which is cheaper to take apart than so many replies: [[queue (index in KEYS), entry id, record, lane,
-- number of the attempt, {the record as it was}], …]; '' where there is nothing

-- So many of those passed over are looked at for each that may be taken.
local look_ahead = 20

-- And so many of all that wait, where none was found.
local drawn = 100

local passed_over = {}
for i = 6, #ARGV do passed_over[ARGV[i]] = true end

-- {member, turn, member, turn, …} of what is next, taken out of the ready set. Tenants that are passed over keep their
-- turns, so in front lies as much of theirs as others were served meanwhile. But the next turn of anybody else is the
-- one that was served last, or the one behind it; unless it was passed over itself not long ago: some are drawn by lot,
-- so that it is found, too, and not only when all in front of it are gone.
local function pop(ready, turns, count)
  if #ARGV < 6 then return redis.call('ZPOPMIN', ready, count) end
  local taken, most = {}, (count + 1) * look_ahead
  local function take(members)
    for i = 1, #members, 2 do
      if #taken < 2 * count and not passed_over[string.match(members[i], '^[^:]+')] then
        taken[#taken + 1] = members[i]
        taken[#taken + 1] = members[i + 1]
        redis.call('ZREM', ready, members[i])
      end
    end
  end
  local first = redis.call('ZRANGE', ready, 0, most - 1, 'WITHSCORES')
  take(first)
  if #first < 2 * most then return taken end
  local now = tonumber(redis.call('HGET', turns, 'now') or '0')
  for turn = now - 1, now do
    take(redis.call('ZRANGE', ready, turn, turn, 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES'))
  end
  if #taken == 0 then take(redis.call('ZRANDMEMBER', ready, drawn, 'WITHSCORES')) end
  return taken
end

-- Makes pending what lies on a stream and is not. That is nothing, unless the group is missing (FLUSHALL, a deleted
-- stream), or was made anew: then it begins at the beginning of its stream, and what others hold is theirs again with
-- their next heartbeat. What a script has written stays when it fails later, so a group is made right here.
local function read_all(queue)
  local reply
  repeat
    reply = redis.pcall('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', 1000, 'STREAMS', queue, '>')
    if reply and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
      redis.call('XGROUP', 'CREATE', queue, ARGV[1], '0', 'MKSTREAM')
    elseif reply and reply.err then
      error(reply.err)
    end
  until not reply
end

-- Makes new entries pending. Unlike XREADGROUP, this does not answer with what they say.
local function hold(queue, leases)
  leases[#leases + 1] = 'FORCE'
  leases[#leases + 1] = 'JUSTID'
  leases[#leases + 1] = 'LASTID'
  leases[#leases + 1] = leases[#leases - 3]
  redis.call('XCLAIM', queue, ARGV[1], ARGV[2], 0, unpack(leases))
end

-- While a wallet is asked for a pass, the pass says so.
local function show_on_pass(record, lane, pass_id)
  local pass = ARGV[5] .. ':' .. string.match(record, '^[^:]+') .. ':pass:' .. pass_id
  if redis.call('HGET', pass, lane) == 'queued' then
    redis.call('HSET', pass, lane, 'processing', lane .. ':at', ARGV[4])
  end
end

local tasks = {}

-- What a record says of a lane, by the names of its fields. There are few lanes, and many tasks.
local names = {}
local function fields_of(lane)
  names[lane] = names[lane] or { state = lane .. ':state', entry = lane .. ':entry', attempts = lane .. ':attempts' }
  return names[lane]
end

local function begin(index, queue, record, lane, leases)
  local key, its = ARGV[5] .. ':' .. record, fields_of(lane)
  local fields, facts = redis.call('HGETALL', key), {}
  for i = 1, #fields, 2 do facts[fields[i]] = fields[i + 1] end
  -- The record is gone: it was its tenant's, who is gone, too.
  if facts[its.state] ~= 'queued' then return end
  if #leases == 0 then read_all(queue) end
  local lease = redis.call('XADD', queue, '*', 'r', record, 'l', lane)
  leases[#leases + 1] = lease
  local attempt = tonumber(facts[its.attempts] or '0') + 1
  redis.call('HSET', key, its.attempts, attempt, its.entry, lease, its.state, 'running',
    'started_at', facts.started_at or ARGV[4])
  if facts.lanes then redis.call('HSET', key, 'status', 'running') end
  if facts.resource_type == 'pass' then show_on_pass(record, lane, facts.resource_id) end
  tasks[#tasks + 1] = { index, lease, record, lane, attempt, facts }
end

for index, queue in ipairs(KEYS) do
  local leases = {}
  local ready, turns = queue .. ':ready', queue .. ':turns'
  -- Members that come to nothing are no reason to go away: what waits may be right behind them.
  repeat
    local free = tonumber(ARGV[3]) - #tasks
    local popped = free > 0 and pop(ready, turns, free) or {}
    for i = 1, #popped, 2 do
      local blank = string.find(popped[i], ' ', 1, true)
      begin(index, queue, string.sub(popped[i], 1, blank - 1), string.sub(popped[i], blank + 1), leases)
    end
    if #popped > 0 then
      local served = math.max(tonumber(popped[#popped]) + 1, tonumber(redis.call('HGET', turns, 'now') or '0'))
      redis.call('HSET', turns, 'now', served)
    end
  until #popped == 0
  if redis.call('EXISTS', ready) == 0 then redis.call('DEL', turns) end
  if #leases > 0 then hold(queue, leases) end
end
return #tasks > 0 and cjson.encode(tasks) or ''
