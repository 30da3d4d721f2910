local call, lock, all, void = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local base, channel, id, token, term = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local h = redis.call('HMGET', call, 'v', 'token', 'number', 'step', 'at', 'tag')
local v, owner, last, made, at, tag = h[1], h[2], h[3], h[4], h[5], h[6]
if v and v ~= '1' then return {'layout', at or ''} end
local held = v and redis.call('GET', lock) -- what has expired, nobody has
local function tell(what, whose)
  redis.call('PUBLISH', channel, id .. ' ' .. (whose or '-') .. ' ' .. what)
end
local function unlist()
  redis.call('ZREM', all, id)
  if tag then redis.call('ZREM', base .. 'of:' .. tag, id) end
end
local function finish()
  unlist()
  redis.call('HDEL', call, 'number', 'step', 'at', 'tag', 'about', 'snap')
  redis.call('PEXPIRE', call, 120000)
  redis.call('DEL', lock)
  if at then tell('gone', tag) end
  return {'ok'}
end
