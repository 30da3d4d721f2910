if not at then return finish() end
redis.call('DEL', lock)
tell('given', tag)
return {'ok'}
