if gen ~= ARGV[6] or owner ~= token or (held and held ~= token) then return {'taken'} end
