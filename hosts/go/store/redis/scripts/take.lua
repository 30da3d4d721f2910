if held and held ~= token then return {'taken'} end
if not at then return {'none'} end
if owner ~= token then
  redis.call('HSET', call, 'token', token, 'number', '0')
  redis.call('HDEL', call, 'step')
end
redis.call('SET', lock, token, 'PX', term)
tell('taken', tag)
return {'ok', redis.call('HGET', call, 'snap') or ''}
