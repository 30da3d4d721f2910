if redis.call('EXISTS', void) == 1 then return {'taken'} end
