-- forget-device: a device has a pass no more. False: it had not.
local function forget_device(device, devices, device_id, pass_id)
  redis.call('SREM', devices, device_id)
  if redis.call('HDEL', device, pass_id) == 0 then return false end
  redis.call('HDEL', device, pass_id .. ':pushed', pass_id .. ':listed', pass_id .. ':fetched')
  for _, field in ipairs(redis.call('HKEYS', device)) do
    -- A pass's own field bears its id and nothing else.
    if #field == 36 then return true end
  end
  redis.call('DEL', device)
  return true
end
