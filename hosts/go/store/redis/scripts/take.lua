if held and held ~= token then return {'taken'} end
if not at then return {'none'} end
if owner ~= token then
  gen = tostring(tonumber(gen or '0') + 1)
  redis.call('HSET', call, 'gen', gen, 'token', token)
end
redis.call('SET', lock, token, 'PX', term)
tell('taken', tag)
return {'ok', gen, redis.call('HGET', call, 'snap') or ''}
