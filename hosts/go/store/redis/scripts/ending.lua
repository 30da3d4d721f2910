redis.pcall('SET', void, '', 'PX', 120000) -- no take of this token counts any more; a full server takes none
if owner ~= token or (held and held ~= token) then return {'taken'} end
