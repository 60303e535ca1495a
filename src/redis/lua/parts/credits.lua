-- credits: what a tenant may still create. A charge is the field that was counted on: `balance`, or `used:yyyymm` of a
-- contract, so that it can be given back where it came from. Where it is too much: nil, the reason, and what there is.
local function take_credits(credits, month, amount)
  local facts = redis.call('HMGET', credits, 'mode', 'balance', 'cap', 'used:' .. month)
  if facts[1] == 'contract' then
    local room = tonumber(facts[3]) - tonumber(facts[4] or '0')
    if room < amount then return nil, 'contract_cap_reached', math.max(room, 0) end
    redis.call('HINCRBY', credits, 'used:' .. month, amount)
    return 'used:' .. month
  end
  local balance = tonumber(facts[2] or '0')
  if balance < amount then return nil, 'insufficient_credits', balance end
  -- Not `-amount`: of 0 that is `-0`, which Redis takes for no number.
  redis.call('HINCRBY', credits, 'balance', 0 - amount)
  return 'balance'
end

local function give_credits_back(credits, charge, amount)
  redis.call('HINCRBY', credits, charge, charge == 'balance' and amount or -amount)
end
