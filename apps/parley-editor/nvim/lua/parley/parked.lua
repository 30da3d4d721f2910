--- Parked calls: to be listed, resumed, or let go.
local float = require('parley.float')
local questions = require('parley.questions')

local M = {}

--- Kept calls, by id, that their servers do not know any more.
M.refused = {}

--- Gets the list; done(calls).
local function get(done)
  require('parley.client').request('parked', vim.empty_dict(), function(err, result)
    if err then
      require('parley').warn(err.message)
    else
      done(result.calls)
    end
  end)
end

--- A parked call in a line.
local function describe(call)
  local parts = { call.call, os.date('%Y-%m-%d %H:%M', call.time) }
  if call.taken then
    table.insert(parts, 'taken: somebody else is at it')
  elseif call.problem then
    table.insert(parts, 'cannot be resumed: ' .. call.problem)
  else
    table.insert(parts, call.server)
    table.insert(parts, call.subject)
    if call.inDoubt then
      table.insert(parts, 'in doubt')
    else
      table.insert(parts, call.questions == 1 and '1 question open' or call.questions .. ' questions open')
    end
  end
  return table.concat(parts, '  ')
end

--- What has to be agreed to before a call is resumed.
local in_doubt = {
  prompt = 'In doubt: the tool was called, and the answer did not arrive. Whatever it does may be done or not.',
  yes = 'Send it again: it may be done twice',
  how = { resend = true },
}
local over_again = {
  prompt = 'The server does not know this call any more.',
  yes = 'Start over, with your answers filled in',
  how = { again = true },
}

local function resume(call)
  local function go(how)
    local params = vim.tbl_extend('force', { call = call.call }, how)
    require('parley.client').request('resume', params, require('parley.call').ended)
  end
  local consent = call.inDoubt and in_doubt or M.refused[call.call] and over_again
  if not consent then
    go({})
    return
  end
  vim.ui.select({ 'Let it be', consent.yes }, { prompt = consent.prompt }, function(_, index)
    if index == 2 then
      go(consent.how)
    end
  end)
end

local function discard(call)
  vim.ui.select({ 'Keep it', 'Discard it' }, { prompt = describe(call) }, function(_, index)
    if index == 2 then
      require('parley.client').request('discard', { call = call.call }, function(err)
        if err then
          require('parley').warn(err.message)
        else
          require('parley').say('discarded ' .. call.call)
        end
      end)
    end
  end)
end

local actions = { resume = resume, discard = discard }

--- :ParleyParked
function M.list()
  get(function(calls)
    if #calls == 0 then
      require('parley').say('nothing is parked')
      return
    end
    local window
    local lines = { { 'Parked calls', group = 'ParleyHost' }, { '' } }
    for _, call in ipairs(calls) do
      table.insert(lines, { describe(call) })
      for _, action in ipairs({ 'Resume', 'Discard' }) do
        questions.action(lines, action, function()
          float.close(window)
          actions[action:lower()](call)
        end)
      end
    end
    window = float.open(lines, function() end)
  end)
end

--- :ParleyResume and :ParleyDiscard, with an id or a choice.
function M.command(action, id)
  get(function(calls)
    local function go(call)
      if call then
        actions[action](call)
      end
    end
    for _, call in ipairs(calls) do
      if call.call == id then
        go(call)
        return
      end
    end
    if id ~= '' then
      require('parley').warn('there is no parked call ' .. id)
    elseif #calls == 0 then
      require('parley').say('nothing is parked')
    elseif #calls == 1 then
      go(calls[1])
    else
      vim.ui.select(calls, { prompt = action, format_item = describe }, go)
    end
  end)
end

return M
