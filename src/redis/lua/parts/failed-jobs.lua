-- failed-jobs: a tenant's jobs that failed in the last month, by when. Failures are few, and are what is looked for.
local function failed_jobs(job)
  local id = string.sub(job, -36)
  return string.sub(job, 1, -1 - #('job:' .. id)) .. 'failed-jobs', id
end

local function list_failed(job, now, retention)
  local failed, id = failed_jobs(job)
  redis.call('ZADD', failed, now, id)
  redis.call('ZREMRANGEBYSCORE', failed, '-inf', string.format('(%.0f', now - retention * 1000))
  redis.call('EXPIRE', failed, retention)
end

local function unlist_failed(job)
  local failed, id = failed_jobs(job)
  redis.call('ZREM', failed, id)
end
