if held and held ~= token then return {'taken'} end
if not held then
  if at then return {'exist'} end
  redis.call('HSET', call, 'v', '1', 'token', token, 'number', '0')
  redis.call('PEXPIRE', call, term + 120000)
  redis.call('SET', lock, token, 'PX', term)
end
return {'ok'}
