-- forget-entries: take a tenant's entries off a stream that it shares with others, a stretch at a time.
-- KEYS  1 stream
-- ARGV  1 tenant id   2 group   3 first entry of the stretch   4 how many entries at most
-- Returns {first entry of the next stretch ('' = that was the last), removed}
-- uses: release letters
local entries = redis.call('XRANGE', KEYS[1], ARGV[3], '+', 'COUNT', ARGV[4])
local removed = 0
for _, entry in ipairs(entries) do
  for _, word in ipairs(entry[2]) do
    if string.find(word, ARGV[1], 1, true) then
      remove_letter(KEYS[1], entry[1])
      release(KEYS[1], ARGV[2], entry[1])
      removed = removed + 1
      break
    end
  end
end
local last = entries[#entries]
return { #entries == tonumber(ARGV[4]) and '(' .. last[1] or '', removed }
