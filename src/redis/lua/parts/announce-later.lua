-- announce-later: put an event on its way whose resource stays as it is: what webhooks get is made from it later.
local function announce_later(subscribers, outbox, tenant, event, type, kind, resource, at)
  if redis.call('SCARD', subscribers) == 0 then return end
  redis.call('XADD', outbox, '*', 't', tenant, 'e', event, 'y', type, 'k', kind, 'i', resource, 'a', at)
end
