--- Pages that a server wants opened: only after consent to the whole address.
local questions = require('parley.questions')

local M = {}

--- The address on a line of its own, its host standing out.
function M.address(lines, params)
  local from = #params.parts[1]
  table.insert(lines, {
    params.url,
    spans = { { from, from + #params.parts[2], 'ParleyAddress' } },
  })
  if params.parts[2] ~= '' then
    table.insert(lines, { 'host: ' .. params.parts[2], spans = { { 6, 6 + #params.parts[2], 'ParleyAddress' } } })
  end
  if params.punycode then
    table.insert(lines, {
      'The name of this host stands for letters beyond a to z: what a browser shows may look like another name.',
      group = 'ParleyProblem',
    })
  end
  if params.loopback then
    table.insert(lines, { 'This page is on your own computer.', group = 'ParleyHint' })
  end
  table.insert(lines, { '' })
end

local function open(url)
  local ok, problem = pcall(require('parley').config.open_url, url)
  if not ok then
    require('parley').warn('the page did not open: ' .. tostring(problem))
  end
  return ok
end

--- Puts a question (ask/url) to the person.
function M.show(question)
  local params = question.params
  local accept = function()
    questions.answer(question, { action = 'accept' })
  end
  local lines
  if params['repeat'] then
    lines = questions.heading(question, ' the same again: it still waits for what you do on its page')
    M.address(lines, params)
    questions.action(lines, 'I am done: check again', accept)
    questions.action(lines, 'Open the page again', function()
      open(params.url)
    end)
  else
    lines = questions.heading(question, ' to open a page')
    M.address(lines, params)
    questions.action(lines, 'Open in the browser', function()
      if open(params.url) then
        accept()
      end
    end)
    questions.action(lines, 'I will open it myself: copy the address', function()
      vim.fn.setreg('"', params.url)
      pcall(vim.fn.setreg, '+', params.url)
      accept()
    end)
  end
  questions.refusals(question, lines, true)
  questions.draw(question, lines)
end

return M
