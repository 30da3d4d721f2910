local call, lock, index, id = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local h = redis.call('HMGET', call, 'v', 'at', 'tag', 'about')
local held = '0'
if redis.call('EXISTS', lock) == 1 then held = '1' end
if h[1] and h[1] ~= '1' then return {'layout', h[2] or '', held} end
if not h[2] then
  redis.call('ZREM', index, id)
  return {'none'}
end
return {'ok', h[2], held, h[3] or '', h[4] or ''}
