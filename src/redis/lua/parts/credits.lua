-- credits: what a tenant may still create. A charge is the field that was counted on: `balance`, or `used:yyyymm` of a
-- contract, so that it can be given back where it came from.
local function take_credits(credits, month, amount)
  local facts = redis.call('HMGET', credits, 'mode', 'balance', 'cap', 'used:' .. month)
  if facts[1] == 'contract' then
    if tonumber(facts[4] or '0') + amount > tonumber(facts[3]) then return nil, 'contract_cap_reached' end
    redis.call('HINCRBY', credits, 'used:' .. month, amount)
    return 'used:' .. month
  end
  if tonumber(facts[2] or '0') < amount then return nil, 'insufficient_credits' end
  -- Not `-amount`: of 0 that is `-0`, which Redis takes for no number.
  redis.call('HINCRBY', credits, 'balance', 0 - amount)
  return 'balance'
end

local function give_credits_back(credits, charge, amount)
  redis.call('HINCRBY', credits, charge, charge == 'balance' and amount or -amount)
end
