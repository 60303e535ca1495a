-- settle-job: close one lane of a job and, with the last one, the job itself; its end is an event of its own.
-- A job with a failed lane has failed, however many others are done; `progress` tells the two apart.
-- uses: record-event announce-later open-records failed-jobs
-- The day of an instant, UTC (Howard Hinnant, «chrono-Compatible Low-Level Date Algorithms», civil_from_days).
local function date_of(ms)
  local days = math.floor(ms / 86400000) + 719468
  local era = math.floor(days / 146097)
  local doe = days - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02d', year, month, doy - math.floor((153 * mp + 2) / 5) + 1)
end

-- A job ends in many scripts, so the keys are made here; they share the job's slot. The event's id keeps the job's time and
-- takes the rest from the job and from how often that has ended, so it is a UUID version 7 too, and a job that fails, is
-- given another try and fails again has two events. `code` is the type's place among the event types.
local function report_end(job, id, type, code, now)
  local owner = string.sub(job, 1, -1 - #(':job:' .. id))
  local hash = redis.sha1hex(id .. type .. redis.call('HINCRBY', job, 'ends', 1))
  local event = string.sub(id, 1, 15) .. string.sub(hash, 1, 3) .. '-8' .. string.sub(hash, 4, 6) .. '-' .. string.sub(hash, 7, 18)
  record_event(owner .. ':events', owner .. ':events:' .. type, owner .. ':event-counts:' .. date_of(tonumber(now)),
    type, now, event .. ' ' .. code .. '   ')
  local partition, tenant = string.match(owner, '^(.*):([^:]+)$')
  announce_later(owner .. ':webhooks:' .. type, partition .. ':outbox', tenant, event, type, 'job', id, now)
end

-- A job that is done stays for a month, and there are many of them: how it came to that goes.
local function shed(job, lanes)
  local attempts = 0
  for lane in string.gmatch(lanes, '%S+') do
    attempts = math.max(attempts, tonumber(redis.call('HGET', job, lane .. ':attempts') or '0'))
    redis.call('HDEL', job, lane .. ':entry', lane .. ':state', lane .. ':attempts', lane .. ':missed',
      lane .. ':lined')
  end
  redis.call('HSET', job, 'attempts', attempts)
  redis.call('HDEL', job, 'lanes', 'class', 'revision', 'template', 'pass')
end

local function settle_lane(job, lane, state, now, retention, channel, id)
  redis.call('HSET', job, lane .. ':state', state, lane .. ':entry', '')
  if state == 'done' then redis.call('HINCRBY', job, 'done', 1) end
  local failed, open, waiting, buried = false, false, false, false
  local lanes = redis.call('HGET', job, 'lanes')
  for name in string.gmatch(lanes, '%S+') do
    local at = redis.call('HGET', job, name .. ':state')
    if at == 'failed' then failed = true
    elseif at ~= 'done' then open = true end
    -- What only stands in line is not tried again.
    if at == 'retrying' and redis.call('HEXISTS', job, name .. ':lined') == 0 then waiting = true end
    if redis.call('HEXISTS', job, name .. ':dead') == 1 then buried = true end
  end
  if open then
    redis.call('HSET', job, 'status', waiting and 'retrying' or 'running')
    return
  end
  redis.call('HSET', job, 'status', failed and 'failed' or 'completed', 'finished_at', now)
  close_record(job)
  if failed then list_failed(job, now, retention) else shed(job, lanes) end
  -- A job with a dead letter stays until somebody has dealt with that.
  if not buried then redis.call('EXPIRE', job, retention) end
  if failed then report_end(job, id, 'job.failed', 6, now)
  else report_end(job, id, 'job.completed', 5, now) end
  redis.call('PUBLISH', channel, id)
end
