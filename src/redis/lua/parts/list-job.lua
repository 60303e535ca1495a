-- list-job: put an accepted job at the end of its tenant's list of the day: JOBS:DAY is a string of ids, 16 bytes each, and
-- DAY counts the days (UTC) since 1970. One command a job, a tenth of a sorted set's memory, and nothing to tidy: a
-- string goes as a whole, when the last of its jobs is a month old.
-- uses: uuid-bytes
local list_retention = 31 * 24 * 60 * 60

-- `job` is the key of the job's record, which says where the list is; they share the slot. `now` (ms) is when it was accepted.
local function list_job(job, now)
  local id = string.sub(job, -36)
  local list = string.sub(job, 1, -41) .. 'jobs:' .. math.floor(now / 86400000)
  if redis.call('APPEND', list, uuid_bytes(id)) == 16 then redis.call('EXPIRE', list, list_retention) end
end
