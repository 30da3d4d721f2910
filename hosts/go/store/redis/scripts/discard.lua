if owner == token and not at then return {'ok'} end
if redis.call('EXISTS', void) == 1 or held then return {'taken'} end
if not at then return {'none'} end
redis.pcall('HSET', call, 'token', token) -- a full server does not, and says "none" a second time
redis.pcall('SET', void, '', 'PX', 120000)
return finish()
