--- What the two questions of a sign-in have in common.
local questions = require('parley.questions')

local M = {}

--- What is asked, and what for.
function M.words(lines, params)
  table.insert(lines, { params.words, group = 'ParleyHost' })
  if #(params.scopes or {}) > 0 then
    table.insert(lines, { 'it asks for: ' .. table.concat(params.scopes, ', '), group = 'ParleyHint' })
  end
end

--- The ways out: no server is told of any.
function M.out(question, lines)
  questions.action(lines, 'Not now: nobody signs in', function()
    questions.answer(question, { action = 'decline' })
  end)
  questions.refusals(question, lines, false)
end

return M
