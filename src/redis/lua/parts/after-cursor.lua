-- after-cursor: how many of an index's members lie at or before a cursor, `SCORE MEMBER` ('' or nil = none). Where its member
-- is gone, those of the same instant come again.
local function rank_after(index, cursor)
  local score, member = string.match(cursor or '', '^(%S+) (%S+)$')
  if not member then return 0 end
  local rank = redis.call('ZRANK', index, member)
  if rank then return rank + 1 end
  return redis.call('ZCOUNT', index, '-inf', '(' .. score)
end
