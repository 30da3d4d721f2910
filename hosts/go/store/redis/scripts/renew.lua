if held then redis.call('PEXPIRE', lock, term) else redis.call('SET', lock, token, 'PX', term) end
if not at then redis.call('PEXPIRE', call, term + 120000) end
return {'ok'}
