--- Where to sign in, before the browser opens.
local questions = require('parley.questions')
local ways = require('parley.sign_in.ways')

local M = {}

--- Puts a question (ask/browser) to the person.
function M.show(question)
  local params = question.params
  local lines = questions.heading(question, ' you to sign in')
  ways.words(lines, params)
  table.insert(lines, { '' })
  require('parley.page').address(lines, params)
  questions.action(lines, 'Open in the browser', function()
    questions.answer(question, { action = 'accept' })
  end)
  questions.action(lines, 'I will open it myself: copy the address', function()
    vim.fn.setreg('"', params.url)
    pcall(vim.fn.setreg, '+', params.url)
    questions.answer(question, { action = 'accept', opened = true })
  end)
  ways.out(question, lines)
  questions.draw(question, lines)
end

return M
