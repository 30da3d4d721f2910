if owner ~= token or not last or (held and held ~= token) then return {'taken'} end
local number = tonumber(ARGV[6])
if number < tonumber(last) then return {'late'} end
if number == tonumber(last) then
  if made == ARGV[7] then return {'ok'} end
  return {'taken'}
end
