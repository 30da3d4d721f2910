package redis

import "github.com/redis/rueidis"

// A call is a hash: v, the layout; gen and token, of who had it last; and from
// the first Save on at, its time in microseconds, snap, about and tag. Its lock
// holds the token of who has it, and is gone when the lease is over. What is done
// leaves the token for two minutes, for whoever lost the answer.
//
// What frees memory uses no command that a full server refuses.
const begin = `
local call, lock, all = KEYS[1], KEYS[2], KEYS[3]
local base, channel, id, token, term = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local h = redis.call('HMGET', call, 'v', 'gen', 'token', 'at', 'tag')
local v, gen, owner, at, tag = h[1], h[2], h[3], h[4], h[5]
if v and v ~= '1' then return {'layout', at or ''} end
local held = v and redis.call('GET', lock) -- what has expired, nobody has
local function tell(what, whose)
  redis.call('PUBLISH', channel, id .. ' ' .. (whose or '-') .. ' ' .. what)
end
local function unlist()
  redis.call('ZREM', all, id)
  if tag then redis.call('ZREM', base .. 'of:' .. tag, id) end
end
`

// fenced goes on for who has the call, or had it last, and nobody took it since.
const fenced = begin + `
if gen ~= ARGV[6] or owner ~= token or (held and held ~= token) then return {'taken'} end
`

// ending goes on like fenced, and is done where it was done before.
const ending = begin + `
if owner == token and not gen then return {'ok'} end
if gen ~= ARGV[6] or owner ~= token or (held and held ~= token) then return {'taken'} end
local function finish()
  unlist()
  redis.call('HDEL', call, 'gen', 'at', 'tag', 'about', 'snap')
  redis.call('PEXPIRE', call, 120000)
  redis.call('DEL', lock)
  if at then tell('gone', tag) end
  return {'ok'}
end
`

var (
	create = rueidis.NewLuaScript(begin + `
if held and held ~= token then return {'taken'} end
if not held then
  if at then return {'exist'} end
  gen = tostring(tonumber(gen or '0') + 1)
  redis.call('HSET', call, 'v', '1', 'gen', gen, 'token', token)
  redis.call('PEXPIRE', call, term + 120000)
  redis.call('SET', lock, token, 'PX', term)
end
return {'ok', gen}
`)

	take = rueidis.NewLuaScript(begin + `
if held and held ~= token then return {'taken'} end
if not at then return {'none'} end
if owner ~= token then
  gen = tostring(tonumber(gen or '0') + 1)
  redis.call('HSET', call, 'gen', gen, 'token', token)
end
redis.call('SET', lock, token, 'PX', term)
tell('taken', tag)
return {'ok', gen, redis.call('HGET', call, 'snap') or ''}
`)

	save = rueidis.NewLuaScript(fenced + `
local keep, snap, about, whose = tonumber(ARGV[7]), ARGV[8], ARGV[9], ARGV[10]
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
if at and now <= tonumber(at) then now = tonumber(at) + 1 end
local time = string.format('%.0f', now)
redis.call('HSET', call, 'at', time, 'snap', snap)
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
`)

	renew = rueidis.NewLuaScript(fenced + `
if held then redis.call('PEXPIRE', lock, term) else redis.call('SET', lock, token, 'PX', term) end
if not at then redis.call('PEXPIRE', call, term + 120000) end
return {'ok'}
`)

	done = rueidis.NewLuaScript(ending + `
return finish()
`)

	release = rueidis.NewLuaScript(ending + `
if not at then return finish() end
redis.call('DEL', lock)
tell('given', tag)
return {'ok'}
`)

	discard = rueidis.NewLuaScript(begin + `
if held then return {'taken'} end
if not at then return {'none'} end
unlist()
redis.call('DEL', call)
tell('gone', tag)
return {'ok'}
`)

	// look reads what a list shows of a call. An index whose call is gone forgets it.
	look = rueidis.NewLuaScript(`
local call, lock, index, id = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local h = redis.call('HMGET', call, 'v', 'at', 'tag', 'about')
local held = '0'
if redis.call('EXISTS', lock) == 1 then held = '1' end
if h[1] and h[1] ~= '1' then return {'layout', h[2] or '', held} end
if not h[2] then
  redis.call('ZREM', index, id)
  return {'none'}
end
return {'ok', h[2], held, h[3] or '', h[4] or ''}
`)

	// mark notes that a state was used, by whom, two minutes longer than it can be.
	mark = rueidis.NewLuaScript(`
local t = redis.call('TIME')
local expires = tonumber(ARGV[2])
if tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000) >= expires then return {'expired'} end
local by = redis.call('GET', KEYS[1])
if not by then
  redis.call('SET', KEYS[1], ARGV[1], 'PXAT', string.format('%.0f', expires + 120000))
  return {'first'}
end
if by == ARGV[1] then return {'first'} end
return {'used'}
`)
)
