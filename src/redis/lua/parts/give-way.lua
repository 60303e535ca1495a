-- give-way: end a lane that is in somebody's hands where a newer version of its pass waits behind it, which then begins at
-- once in its place. `place` is that of pass-lanes. False where none waits.
-- uses: release settle-job pass-lanes
local function gave_way(place, job, lane, lease)
  local waiting = redis.call('HGET', place.pass, lane .. ':next')
  if not waiting or waiting == '' then return false end
  release(lease.queue, lease.group, lease.entry)
  settle_lane(job_key(place, job), lane, 'done', place.now, place.retention, place.channel, job)
  next_lane(place, lane)
  return true
end
