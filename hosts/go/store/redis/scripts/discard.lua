if held then return {'taken'} end
if not at then return {'none'} end
unlist()
redis.call('DEL', call)
tell('gone', tag)
return {'ok'}
