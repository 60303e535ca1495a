-- dead-letter: what replaying and purging share. A dead letter counts only while its record names it, too.
-- What stands in the way of dealing with a letter: 'missing' (somebody else has dealt with it), 'record_gone' (its
-- record is not there any more, or has another letter by now), or nil.
-- uses: letters failed-jobs
local function letter_obstacle(letters, letter, record, lane)
  if #redis.call('XRANGE', letters, letter, letter) == 0 then return 'missing' end
  if redis.call('HGET', record, lane .. ':dead') ~= letter then return 'record_gone' end
  return nil
end

-- Whether the lane has been replayed as often as a replay may (`limit`; '' = however often).
local function is_worn_out(record, lane, limit)
  return limit ~= '' and tonumber(redis.call('HGET', record, lane .. ':replays') or '0') >= tonumber(limit)
end

-- What is tried again remembers the letter that it comes from, when that was, and the task ('' = sent again by hand).
local function remember_letter(letter, record, lane, now, task)
  redis.call('HINCRBY', record, lane .. ':replays', 1)
  redis.call('HSET', record, lane .. ':from', letter .. ' ' .. now .. ' ' .. task)
end

local function take_letter(letters, letter, record, lane)
  remove_letter(letters, letter)
  redis.call('HDEL', record, lane .. ':dead')
end

-- The body of an event stays for good while any delivery of it has a dead letter, and for `retention` after that.
local function let_body_go(body, dead_deliveries, delivery, retention)
  redis.call('SREM', dead_deliveries, delivery)
  if redis.call('EXISTS', dead_deliveries) == 0 then redis.call('EXPIRE', body, retention) end
end

-- Makes a job ready for another try of one of its lanes, which is not in the queue yet.
local function reopen_job(job, lane)
  local open = false
  for name in string.gmatch(redis.call('HGET', job, 'lanes'), '%S+') do
    local at = redis.call('HGET', job, name .. ':state')
    if at ~= 'done' and at ~= 'failed' then open = true end
  end
  -- Where another lane is still at work, the job's status is that lane's.
  if not open then redis.call('HSET', job, 'status', 'queued') end
  redis.call('HINCRBY', job, 'replays', 1)
  redis.call('HSET', job, lane .. ':attempts', 0)
  redis.call('HDEL', job, 'finished_at')
  unlist_failed(job)
end
