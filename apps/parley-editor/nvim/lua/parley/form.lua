--- Forms: those of questions and those of a tool's arguments. All values stand
--- in one window, where they are changed, reviewed and sent.
local fill = require('parley.fill')
local float = require('parley.float')
local questions = require('parley.questions')
local values = require('parley.value')

local M = {}

--- What is filled in: { form, fields, values, problems }, redrawn by changed().
local function begin(form, fields, changed)
  local filling = { form = form, fields = fields or {}, values = {}, problems = {}, checking = 0, changed = changed }
  for i, field in ipairs(filling.fields) do
    filling.values[i] = vim.deepcopy(field.value) or {}
  end
  return filling
end

local function encoded(filling)
  return vim.tbl_map(values.encoded, filling.values)
end

--- Adds a line for each mark of choices, or each value of a list.
local function add_parts(lines, filling, i)
  local value = filling.values[i]
  local one = values.picked(filling.fields[i], value)
  if one.kind == 'choices' then
    for index, option in ipairs(one.options) do
      local marked = vim.tbl_contains(value.chosen or {}, index - 1)
      table.insert(lines, {
        (marked and '  [x] ' or '  [ ] ') .. option,
        act = function()
          fill.toggle(filling, i, index - 1)
        end,
      })
    end
  elseif one.kind == 'list' then
    for index, text in ipairs(values.lines(value)) do
      table.insert(lines, {
        '  - ' .. text,
        act = function()
          fill.change_value(filling, i, index)
        end,
      })
    end
    table.insert(lines, {
      '  [add a value]',
      group = 'ParleyHint',
      act = function()
        fill.add_value(filling, i)
      end,
    })
  end
end

--- Adds the lines of a field.
local function add_field(lines, filling, i)
  local field, value = filling.fields[i], filling.values[i]
  if field.readOnly then
    float.quote(lines, field.label .. ': ' .. values.words(field, value))
    float.quote(lines, field.description, '  ')
    return
  end
  local start = field.label .. (field.required and ' *' or '') .. ': '
  table.insert(lines, {
    start .. values.words(field, value),
    spans = { { 0, #start - 2, 'ParleyField' } },
    act = function()
      if field.types then
        fill.pick(filling, i)
      else
        fill.fill_in(filling, i)
      end
    end,
  })
  add_parts(lines, filling, i)
  if field.leave and (value.type or value.text and value.text ~= '') then
    table.insert(lines, {
      '  [' .. field.leave .. ']',
      group = 'ParleyHint',
      act = function()
        fill.take(filling, i, {})
      end,
    })
  end
  float.quote(lines, field.description, '  ')
  local one = values.picked(field, value)
  if field.hint then
    table.insert(lines, { '  ' .. field.hint, group = 'ParleyHint' })
  end
  if one ~= field then
    table.insert(lines, { '  ' .. one.label .. (one.hint and ': ' .. one.hint or ''), group = 'ParleyHint' })
  end
  if filling.problems[i] then
    table.insert(lines, { '  ! ' .. filling.problems[i], group = 'ParleyProblem' })
  end
end

--- Adds the lines of a form. hint is about all of it.
local function add_fields(lines, filling, hint)
  for i in ipairs(filling.fields) do
    add_field(lines, filling, i)
  end
  if hint then
    table.insert(lines, { 'Of the whole answer, ' .. hint, group = 'ParleyHint' })
  end
  if #filling.fields > 0 then
    table.insert(lines, { '' })
  end
end

--- Whether there is anything to fill in.
local function asks(filling)
  for _, field in ipairs(filling.fields) do
    if not field.readOnly then
      return true
    end
  end
  return false
end

--- Shows what is wrong with an answer that could not be sent.
local function refused(filling, err)
  filling.problems = {}
  for _, problem in ipairs(type(err.data) == 'table' and err.data.problems or {}) do
    filling.problems[problem.field + 1] = problem.problem
  end
  filling.changed()
  require('parley').warn(err.message)
end

--- Puts a question (ask/elicit) to the person.
function M.show(question)
  local filling = question.filling
  local function draw()
    local lines = questions.heading(question, '')
    if question.params.earlier then
      table.insert(lines, { 'filled in as you answered before', group = 'ParleyHint' })
    end
    add_fields(lines, filling, question.params.hint)
    questions.action(lines, asks(filling) and 'Send' or 'Yes', function()
      fill.send(filling, function()
        questions.answer(question, { action = 'accept', values = encoded(filling) }, function(err)
          refused(filling, err)
        end)
      end)
    end)
    questions.refusals(question, lines, true)
    questions.draw(question, lines)
  end
  if not filling then
    filling = begin(question.params.form, question.params.fields, draw)
    question.filling = filling
  end
  filling.changed = draw
  draw()
end

--- Asks for the arguments of a tool; done(values) when they are to be sent.
function M.arguments(server, tool, done)
  local filling, window
  local function draw()
    local lines = { { 'Call ' .. tool.name .. ' of ' .. server, group = 'ParleyHost' } }
    float.quote(lines, tool.description)
    table.insert(lines, { '' })
    add_fields(lines, filling, tool.hint)
    questions.action(lines, 'Call', function()
      fill.send(filling, function()
        float.close(window)
        done(encoded(filling))
      end)
    end)
    if window then
      float.update(window, lines)
    else
      window = float.open(lines, function() end)
    end
  end
  filling = begin(tool.form, tool.fields, draw)
  draw()
end

return M
