--- Whether to sign in at all.
local questions = require('parley.questions')
local ways = require('parley.sign_in.ways')

local M = {}

--- Puts a question (ask/sign-in) to the person.
function M.show(question)
  local params = question.params
  local lines = questions.heading(question, params.status == 403 and ' you to allow more' or ' who you are')
  ways.words(lines, params)
  if params.account then
    table.insert(lines, { 'you signed in: ' .. params.account, group = 'ParleyHint' })
  end
  table.insert(lines, { '' })
  questions.action(lines, 'Sign in: you see where before the browser opens', function()
    questions.answer(question, { action = 'accept' })
  end)
  ways.out(question, lines)
  questions.draw(question, lines)
end

return M
