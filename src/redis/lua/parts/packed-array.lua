-- packed-array: items of one width, each at its place, in strings of 296 items (ARRAY:0, ARRAY:1, …). Any item is one
-- short read away, nothing ever moves, and the oldest go a string at a time. So many, because with the two widths that
-- there are, 69 and 5 bytes, they fill what the allocator of Redis gives for them: 20,480 and 1,536 bytes.
local items_per_string = 296

local function string_of(array, index)
  return array .. ':' .. math.floor(index / items_per_string)
end

local function write_item(array, index, item)
  local place = index % items_per_string
  local key = string_of(array, index)
  redis.call('SETRANGE', key, place * #item, item)
  -- A string that grows keeps as much room again for more. A full one needs none.
  if place == items_per_string - 1 then redis.call('SET', key, redis.call('GET', key)) end
end

-- `length` bytes of an item, from its byte `from`; '' where its string is gone.
local function read_item(array, index, width, from, length)
  local start = index % items_per_string * width + from
  return redis.call('GETRANGE', string_of(array, index), start, start + length - 1)
end

-- The items [low, high) as one string, whose items may lie in several.
local function read_items(array, low, high, width)
  local runs = {}
  while low < high do
    local stop = math.min(high, (math.floor(low / items_per_string) + 1) * items_per_string)
    runs[#runs + 1] = read_item(array, low, width, 0, (stop - low) * width)
    low = stop
  end
  return table.concat(runs)
end

-- Removes the strings that hold only items before `last`, of those that begin with the one of `first`.
local function drop_strings(array, first, last, suffix)
  for number = math.floor(first / items_per_string), math.floor(last / items_per_string) - 1 do
    redis.call('UNLINK', array .. ':' .. number .. suffix)
  end
end

-- The lowest number in [low, high) that has `reached`, as all after it have; `high` where none has.
local function bisect(low, high, reached)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if reached(middle) then high = middle else low = middle + 1 end
  end
  return low
end
