-- announce: put an event on its way to the webhooks, where there are any for its type. `body` is what they get.
local function announce(subscribers, body_key, outbox, tenant, event, type, body, retention)
  if redis.call('SCARD', subscribers) == 0 then return end
  redis.call('SET', body_key, body, 'EX', retention)
  redis.call('XADD', outbox, '*', 't', tenant, 'e', event, 'y', type)
end
