-- settle-job: close one lane of a job and, with the last one, the job itself.
-- A job with a failed lane has failed, however many others are done; `progress` tells the two apart.
local function settle_lane(job, lane, state, now, retention, channel, id)
  redis.call('HSET', job, lane .. ':state', state, lane .. ':entry', '')
  if state == 'done' then redis.call('HINCRBY', job, 'done', 1) end
  local failed, open, waiting, buried = false, false, false, false
  for name in string.gmatch(redis.call('HGET', job, 'lanes'), '%S+') do
    local at = redis.call('HGET', job, name .. ':state')
    if at == 'failed' then failed = true
    elseif at ~= 'done' then open = true end
    if at == 'retrying' then waiting = true end
    if redis.call('HEXISTS', job, name .. ':dead') == 1 then buried = true end
  end
  if open then
    redis.call('HSET', job, 'status', waiting and 'retrying' or 'running')
    return
  end
  redis.call('HSET', job, 'status', failed and 'failed' or 'completed', 'finished_at', now)
  -- A job with a dead letter stays until somebody has dealt with that.
  if not buried then redis.call('EXPIRE', job, retention) end
  redis.call('PUBLISH', channel, id)
end
