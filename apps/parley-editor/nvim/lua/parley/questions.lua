--- The questions that wait for the person, and the window of the one at hand.
local float = require('parley.float')

local M = {}

local queue = {} -- in the order in which they came
local shown -- the one whose window is open

local function find(ask)
  for i, question in ipairs(queue) do
    if question.params.ask == ask then
      return i, question
    end
  end
end

--- Whether the window of a question is open.
local function busy()
  return shown and shown.float and vim.api.nvim_win_is_valid(shown.float.window)
end

--- Whether a window may come up by itself: not while the person types.
local function free()
  return not busy() and vim.api.nvim_get_mode().mode == 'n' and vim.fn.getcmdwintype() == ''
end

local function open(question)
  shown = question
  question.kind.show(question)
end

--- Takes a question. kind.show(question) puts it to the person.
function M.add(params, kind)
  local _, known = find(params.ask)
  if known then -- asked again: its answer could not be sent
    known.params, known.postponed = params, false
  else
    table.insert(queue, { params = params, kind = kind })
  end
  local question = known or queue[#queue]
  if free() then
    open(question)
  else
    require('parley').say(params.server .. ' asks something: :ParleyAnswer')
  end
end

--- Shows the question at hand, or the first that waits.
function M.show()
  if busy() then
    vim.api.nvim_set_current_win(shown.float.window)
    return
  end
  if #queue == 0 then
    require('parley').say('nothing waits for you')
    return
  end
  open(queue[1])
end

--- Opens the window of a question, or draws it anew. One that was withdrawn
--- while something was typed is not drawn any more.
function M.draw(question, lines)
  if question.over then
    return
  end
  if question.float and vim.api.nvim_win_is_valid(question.float.window) then
    float.update(question.float, lines)
    return
  end
  question.float = float.open(lines, function()
    question.postponed = true
    if shown == question then
      shown = nil
    end
    require('parley').say('the question waits: :ParleyAnswer')
  end)
end

local function forget(question)
  question.over = true
  local i = find(question.params.ask)
  if i then
    table.remove(queue, i)
  end
  if question.float then
    float.close(question.float)
  end
  if shown == question then
    shown = nil
  end
end

local function next_one()
  for _, question in ipairs(queue) do
    if not question.postponed and free() then
      open(question)
      return
    end
  end
end

--- Sends what the person decided. Where it cannot be sent, problem(err) is
--- called and the question stays.
function M.answer(question, answer, problem)
  answer.ask = question.params.ask
  require('parley.client').request('answer', answer, function(err)
    if not err then
      if problem then
        M.done(question)
      end
    elseif problem and find(answer.ask) then
      problem(err)
    else
      forget(question)
      require('parley').warn(err.message)
    end
  end)
  if not problem then
    M.done(question)
  end
end

--- The question is answered.
function M.done(question)
  forget(question)
  vim.schedule(next_one)
end

--- The lines that are alike in every question.
function M.heading(question, wants)
  local params = question.params
  local lines = { { params.server .. ' asks' .. wants, group = 'ParleyHost' } }
  local round = params.round > 0 and ', round ' .. params.round or ''
  table.insert(lines, { 'for ' .. params.subject .. round, group = 'ParleyHint' })
  float.quote(lines, params.message)
  if params.problem then
    table.insert(lines, { '! ' .. params.problem, group = 'ParleyProblem' })
  end
  table.insert(lines, { '' })
  return lines
end

--- A line that does something.
function M.action(lines, text, act)
  table.insert(lines, { '[ ' .. text .. ' ]', group = 'ParleyAction', act = act })
end

--- The ways out that every question has.
function M.refusals(question, lines, elicits)
  local function way(text, action)
    M.action(lines, text, function()
      M.answer(question, { action = action })
    end)
  end
  if elicits then
    way('Decline: tell the server no', 'decline')
    way('Dismiss: close it without choosing', 'cancel')
  end
  if question.params.mayPark then
    way('Park: keep everything and resume later', 'park')
  end
  way('Stop this call', 'stop')
  table.insert(lines, { '<Tab> next, <CR> do it, q answer later', group = 'ParleyHint' })
end

--- A question that is moot.
function M.withdraw(ask)
  local _, question = find(ask)
  if question then
    forget(question)
    require('parley').say(question.params.server .. ' does not wait for an answer any more')
    vim.schedule(next_one)
  end
end

function M.clear()
  while queue[1] do
    forget(queue[1])
  end
end

function M.count()
  return #queue
end

return M
