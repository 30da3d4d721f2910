--- A model's answer, with consent before the prompt goes to it and before its
--- answer goes to the server.
local float = require('parley.float')
local questions = require('parley.questions')

local M = {}

local show

local function run(question)
  local model = require('parley').config.model
  question.asked = true
  show(question)
  local over = false
  local function done(text, problem)
    if over then
      return
    end
    over = true
    vim.schedule(function()
      question.asked, question.text, question.trouble = false, text, problem
      show(question)
    end)
  end
  local ok, problem = pcall(model.run, question.params.request, done)
  if not ok then
    done(nil, tostring(problem))
  end
end

--- Puts a question (ask/sample) to the person.
show = function(question)
  local model = require('parley').config.model
  local lines = questions.heading(question, " for a model's answer")
  for _, message in ipairs(question.params.messages or {}) do
    table.insert(lines, { message.who .. ':', group = 'ParleyHint' })
    float.quote(lines, message.text)
  end
  if question.text then
    table.insert(lines, { model.name .. ' says:', group = 'ParleyHost' })
    float.quote(lines, question.text)
  end
  if question.trouble then
    table.insert(lines, { '! ' .. question.trouble, group = 'ParleyProblem' })
  end
  table.insert(lines, { '' })
  if question.asked then
    table.insert(lines, { 'waiting for ' .. model.name, group = 'ParleyHint' })
  elseif question.text then
    questions.action(lines, 'Send this to ' .. question.params.server, function()
      questions.answer(question, { action = 'accept', model = model.name, text = question.text })
    end)
    questions.action(lines, 'Ask ' .. model.name .. ' again', function()
      run(question)
    end)
  else
    questions.action(lines, 'Give this to ' .. model.name, function()
      run(question)
    end)
  end
  questions.refusals(question, lines, false)
  questions.draw(question, lines)
end

M.show = show

return M
