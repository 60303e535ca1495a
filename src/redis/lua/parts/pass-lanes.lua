-- pass-lanes: one operation at a time for each pass and wallet, and the newest goes next. `place` holds what finds
-- the rest: pass (key), jobs (key prefix of the tenant's jobs), record (the same, relative to the partition),
-- queues (class -> key), now, retention, channel.
-- uses: enqueue delay settle-job
local function job_key(place, job) return place.jobs .. job end

local function overtake(place, job, lane)
  settle_lane(job_key(place, job), lane, 'done', place.now, place.retention, place.channel, job)
end

-- Lets a lane stand in line at its wallet, where another stood.
local function stand_in_line(place, queue, lane, job, due)
  local open, name = open_place(job_key(place, job))
  redis.call('HSET', job_key(place, job), lane .. ':state', 'retrying', lane .. ':entry', '')
  delay(queue, place.record .. job, lane, due)
  redis.call('ZADD', open, 'NX', place.now, name)
end

-- Gives a wallet's part of a job to the queue. It takes the place of what waits there for an older version: whoever
-- changes a pass again and again neither loses turns for it nor puts it off. Behind work that is being done it waits.
local function open_lane(place, lane, job)
  local current, waiting = unpack(redis.call('HMGET', place.pass, lane .. ':job', lane .. ':next'))
  if waiting and waiting ~= '' then
    overtake(place, waiting, lane)
    redis.call('HDEL', place.pass, lane .. ':next')
  end
  local class, turn, due = redis.call('HGET', job_key(place, job), 'class'), nil, nil
  if current and current ~= '' then
    local key = job_key(place, current)
    local facts = redis.call('HMGET', key, lane .. ':state', 'class', lane .. ':lined')
    local is_alike = facts[2] == class
    if facts[3] and is_alike then redis.call('HSET', job_key(place, job), lane .. ':lined', 1) end
    if facts[1] == 'running' then
      redis.call('HSET', place.pass, lane .. ':next', job)
      redis.call('HSET', job_key(place, job), lane .. ':state', 'waiting', lane .. ':entry', '')
      return
    elseif facts[1] == 'queued' then
      local its_turn = withdraw(place.queues[facts[2]], place.record .. current, lane)
      turn = is_alike and its_turn
      overtake(place, current, lane)
    elseif facts[1] == 'retrying' then
      local its_due = undelay(place.queues[facts[2]], place.record .. current, lane)
      due = facts[3] and is_alike and its_due
      overtake(place, current, lane)
    end
  end
  if turn then
    wait_at_turns(place.queues[class], { { job_key(place, job), place.record .. job, lane, turn } })
  elseif due then
    stand_in_line(place, place.queues[class], lane, job, due)
  else
    enqueue(place.queues[class], job_key(place, job), place.record .. job, lane)
  end
  redis.call('HSET', place.pass, lane .. ':job', job)
end

-- Lets what waited behind a finished operation begin. True when there was something.
local function next_lane(place, lane)
  local waiting = redis.call('HGET', place.pass, lane .. ':next')
  if not waiting or waiting == '' then
    redis.call('HDEL', place.pass, lane .. ':job', lane .. ':next')
    return false
  end
  local key = job_key(place, waiting)
  redis.call('HDEL', place.pass, lane .. ':next')
  redis.call('HSET', place.pass, lane .. ':job', waiting)
  enqueue(place.queues[redis.call('HGET', key, 'class')], key, place.record .. waiting, lane)
  return true
end
