if not last then return {'ok'} end
if not at then return finish() end
redis.call('HDEL', call, 'number', 'step')
redis.call('DEL', lock)
tell('given', tag)
return {'ok'}
