local keep, snap, about, whose = tonumber(ARGV[8]), ARGV[9], ARGV[10], ARGV[11]
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
if at and now <= tonumber(at) then now = tonumber(at) + 1 end
local time = string.format('%.0f', now)
redis.call('HSET', call, 'number', ARGV[6], 'step', ARGV[7], 'at', time, 'snap', snap)
if about == '' then
  whose = tag
else
  redis.call('HSET', call, 'about', about)
  if whose == '' then whose = false end
  if tag and tag ~= whose then
    redis.call('ZREM', base .. 'of:' .. tag, id)
    redis.call('HDEL', call, 'tag')
    tell('saved', tag)
  end
  if whose then redis.call('HSET', call, 'tag', whose) end
end
redis.call('PEXPIRE', call, keep)
redis.call('SET', lock, token, 'PX', term)
local function list(index)
  redis.call('ZADD', index, time, id)
  if redis.call('PTTL', index) < keep then redis.call('PEXPIRE', index, keep) end
end
list(all)
if whose then list(base .. 'of:' .. whose) end
tell('saved', whose)
return {'ok'}
