-- bury-delivery: make a delivery a dead letter. It keeps its payload until somebody has dealt with it.
-- uses: open-records letters
local function bury_delivery(letters, delivery, body, dead_deliveries, record, reason)
  local letter = add_letter(letters, 'webhooks', record, 'send', reason)
  redis.call('HSET', delivery, 'status', 'dead_lettered', 'next_at', '', 'send:state', 'failed', 'send:dead', letter)
  close_record(delivery)
  redis.call('PERSIST', body)
  redis.call('SADD', dead_deliveries, record)
end
