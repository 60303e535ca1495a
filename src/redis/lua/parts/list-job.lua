-- list-job: put an accepted job at the end of its tenant's list: JOBS counts all that there ever were, and JOBS:N are the
-- strings of a packed array of their ids. That takes 16 bytes a job, a tenth of a sorted set's, and needs no tidying: a
-- string goes as a whole, a month after its last job came.
-- uses: packed-array uuid-bytes
local list_retention = 30 * 24 * 60 * 60

-- `job` is the key of the job's record, which says where the list is; they share the slot.
local function list_job(job)
  local id = string.sub(job, -36)
  local jobs = string.sub(job, 1, -1 - #('job:' .. id)) .. 'jobs'
  local place = redis.call('INCR', jobs) - 1
  write_item(jobs, place, uuid_bytes(id))
  redis.call('EXPIRE', string_of(jobs, place), list_retention)
end
