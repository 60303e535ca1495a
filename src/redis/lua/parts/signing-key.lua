-- signing-key: one signing key of the installation, a JSON record in the hash of all of them. What is sealed stays sealed.
local function key_in_state(all, kid, state)
  local text = redis.call('HGET', all, kid)
  local key = text and cjson.decode(text)
  return key and key.state == state and key or nil
end

local function enter_state(all, key, state, since, now)
  key.state = state
  key[since] = tonumber(now)
  redis.call('HSET', all, key.kid, cjson.encode(key))
end
