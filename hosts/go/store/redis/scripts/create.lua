if held and held ~= token then return {'taken'} end
if not held then
  if at then return {'exist'} end
  gen = tostring(tonumber(gen or '0') + 1)
  redis.call('HSET', call, 'v', '1', 'gen', gen, 'token', token)
  redis.call('PEXPIRE', call, term + 120000)
  redis.call('SET', lock, token, 'PX', term)
end
return {'ok', gen}
