-- uuid-bytes: a UUID as its 16 bytes; of anything else, sixteen zeros.
local function uuid_bytes(id)
  local a, b, c, d, e = string.match(id, '^(%x+)-(%x+)-(%x+)-(%x+)-(%x+)$')
  if not a then return string.rep('\0', 16) end
  return struct.pack('>I4I2I2I2I6', tonumber(a, 16), tonumber(b, 16), tonumber(c, 16), tonumber(d, 16), tonumber(e, 16))
end
