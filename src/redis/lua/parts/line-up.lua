-- line-up: let a lane of a job wait until its turn at a wallet comes, which takes only so many calls in a time. Nothing has
-- failed and the attempt does not count; LANE:lined remembers that it has stood in line.
-- uses: release delay
local function line_up(queue, job, record, lane, group, entry, due)
  release(queue, group, entry)
  redis.call('HINCRBY', job, lane .. ':attempts', -1)
  redis.call('HSET', job, lane .. ':entry', '', lane .. ':state', 'retrying', lane .. ':lined', 1)
  delay(queue, record, lane, due)
end
