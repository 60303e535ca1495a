-- credits: what a tenant may still create, and the only place where that changes: no movement without its entry in the
-- ledger, no entry without its movement. An account is the field that is counted on: `balance`, or `used:yyyymm` of a
-- contract, so that what was charged can be given back where it came from. `recorded:ACCOUNT` is what the account's entries
-- come to. Older releases, and hands, change credits without an entry: the next movement writes one for the difference.
local function write_entry(credits, account, reason, reference, amount, after)
  local entry = { 'why', reason, 'of', reference, 'by', amount, 'to', after }
  if account ~= 'balance' then
    entry[9], entry[10] = 'on', account
  end
  redis.call('XADD', credits .. ':ledger', '*', unpack(entry))
end

local function post(credits, account, held, recorded, amount, reason, reference)
  local before, known = tonumber(held or '0'), tonumber(recorded or '0')
  local after = before + amount
  if before ~= known then
    write_entry(credits, account, recorded and 'not_recorded' or 'opening', '', before - known, before)
  end
  write_entry(credits, account, reason, reference, amount, after)
  redis.call('HSET', credits, account, after, 'recorded:' .. account, after)
  return after
end

-- Answers what the account holds then.
local function move_credits(credits, account, amount, reason, reference)
  local facts = redis.call('HMGET', credits, account, 'recorded:' .. account)
  return post(credits, account, facts[1], facts[2], amount, reason, reference)
end

-- Answers the account, or where it is too much: nil, the reason, and what there is.
local function take_credits(credits, month, amount, reason, reference)
  local used = 'used:' .. month
  local facts =
    redis.call('HMGET', credits, 'mode', 'balance', 'cap', used, 'recorded:balance', 'recorded:' .. used)
  if facts[1] == 'contract' then
    local room = tonumber(facts[3]) - tonumber(facts[4] or '0')
    if room < amount then return nil, 'contract_cap_reached', math.max(room, 0) end
    if amount > 0 then post(credits, used, facts[4], facts[6], amount, reason, reference) end
    return used
  end
  local balance = tonumber(facts[2] or '0')
  if balance < amount then return nil, 'insufficient_credits', balance end
  if amount > 0 then post(credits, 'balance', facts[2], facts[5], -amount, reason, reference) end
  return 'balance'
end

local function give_credits_back(credits, charge, amount, reason, reference)
  move_credits(credits, charge, charge == 'balance' and amount or -amount, reason, reference)
end
