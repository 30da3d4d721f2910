if owner == token and not gen then return {'ok'} end
if gen ~= ARGV[6] or owner ~= token or (held and held ~= token) then return {'taken'} end
local function finish()
  unlist()
  redis.call('HDEL', call, 'gen', 'at', 'tag', 'about', 'snap')
  redis.call('PEXPIRE', call, 120000)
  redis.call('DEL', lock)
  if at then tell('gone', tag) end
  return {'ok'}
end
