local t = redis.call('TIME')
local expires = tonumber(ARGV[2])
if tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000) >= expires then return {'expired'} end
local by = redis.call('GET', KEYS[1])
if not by then
  redis.call('SET', KEYS[1], ARGV[1], 'PXAT', string.format('%.0f', expires + 120000))
  return {'first'}
end
if by == ARGV[1] then return {'first'} end
return {'used'}
