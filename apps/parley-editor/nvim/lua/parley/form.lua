--- Forms: those of questions and those of a tool's arguments. All values stand
--- in one window, where they are changed, reviewed and sent.
local float = require('parley.float')
local questions = require('parley.questions')

local M = {}

--- What is filled in: { form, fields, values, problems }, redrawn by changed().
local function fill(form, fields, changed)
  local filling = { form = form, fields = fields or {}, values = {}, problems = {}, changed = changed }
  for i, field in ipairs(filling.fields) do
    filling.values[i] = vim.deepcopy(field.value) or {}
  end
  return filling
end

--- A field's value in words.
local function words(field, value)
  if field.options then
    local chosen = {}
    for _, index in ipairs(value.chosen or {}) do
      table.insert(chosen, field.options[index + 1])
    end
    return #chosen > 0 and table.concat(chosen, ', ') or '(left out)'
  end
  local text = value.text
  if not text or text == '' then
    return field.empties and '(empty)' or '(left out)'
  end
  return (text:gsub('\n', '⏎'))
end

--- A value as the helper wants it. An empty table would be a list.
local function encoded(value)
  if value.text and value.text ~= '' then
    return { text = value.text }
  elseif value.chosen and #value.chosen > 0 then
    return { chosen = value.chosen }
  end
  return vim.empty_dict()
end

function M.values(filling)
  return vim.tbl_map(encoded, filling.values)
end

--- Asks the engine what is wrong with a value; done(problem) with nil if nothing is.
local function validate(filling, i, value, done)
  local params = { form = filling.form, field = i - 1, value = encoded(value) }
  require('parley.client').request('validate', params, function(err, result)
    done(err and err.message or result.problem)
  end)
end

local function take(filling, i, value)
  filling.values[i] = value
  validate(filling, i, value, function(problem)
    filling.problems[i] = problem
    filling.changed()
  end)
end

--- Has a value typed, again and again until it is good or given up.
local function type_in(filling, i, text, problem)
  local field = filling.fields[i]
  local prompt = (problem and problem .. ' ' or '') .. field.label .. ': '
  vim.ui.input({ prompt = prompt, default = text }, function(typed)
    if typed == nil then
      return
    end
    validate(filling, i, { text = typed }, function(wrong)
      if wrong then
        type_in(filling, i, typed, wrong .. '.')
      else
        filling.values[i], filling.problems[i] = { text = typed }, nil
        filling.changed()
        vim.cmd("redraw | echo ''") -- the prompt still stands there
      end
    end)
  end)
end

--- Has a text of several lines changed in a window of its own.
local function edit(filling, i)
  local form = vim.api.nvim_get_current_win()
  vim.cmd('belowright 10new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden = 'acwrite', 'wipe'
  vim.api.nvim_buf_set_name(buffer, 'parley://field/' .. buffer)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(filling.values[i].text, '\n', { plain = true }))
  vim.bo[buffer].modified = false
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buffer,
    callback = function()
      vim.bo[buffer].modified = false
      take(filling, i, { text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') })
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_win_is_valid(form) then
        vim.api.nvim_set_current_win(form)
      end
    end),
  })
  require('parley').say('write the text with :wq')
end

local function choose(filling, i)
  local field = filling.fields[i]
  local items = {}
  for index, option in ipairs(field.options) do
    table.insert(items, { option, { chosen = { index - 1 } } })
  end
  if not field.required then
    table.insert(items, { '(leave it out)', {} })
  end
  vim.ui.select(items, {
    prompt = field.label,
    format_item = function(item)
      return item[1]
    end,
  }, function(item)
    if item then
      take(filling, i, item[2])
    end
  end)
end

local function toggle(filling, i, option)
  local chosen = {}
  local was = false
  for _, index in ipairs(filling.values[i].chosen or {}) do
    if index == option then
      was = true
    else
      table.insert(chosen, index)
    end
  end
  if not was then
    table.insert(chosen, option)
    table.sort(chosen)
  end
  take(filling, i, { chosen = chosen })
end

--- Adds the lines of a form: a line for each field, and one for each mark.
local function add_fields(lines, filling)
  for i, field in ipairs(filling.fields) do
    local value = filling.values[i]
    local start = field.label .. (field.required and ' *' or '') .. ': '
    local line = { start .. words(field, value), spans = { { 0, #start - 2, 'ParleyField' } } }
    table.insert(lines, line)
    if field.kind == 'choices' then
      for index, option in ipairs(field.options) do
        local marked = vim.tbl_contains(value.chosen or {}, index - 1)
        table.insert(lines, {
          (marked and '  [x] ' or '  [ ] ') .. option,
          act = function()
            toggle(filling, i, index - 1)
          end,
        })
      end
    elseif field.options then
      line.act = function()
        choose(filling, i)
      end
    elseif (value.text or ''):find('\n') then
      line.act = function()
        edit(filling, i)
      end
    else
      line.act = function()
        type_in(filling, i, value.text or '')
      end
    end
    if not field.required and value.text and value.text ~= '' then
      table.insert(lines, {
        '  [leave it out]',
        group = 'ParleyHint',
        act = function()
          take(filling, i, {})
        end,
      })
    end
    float.quote(lines, field.description, '  ')
    if field.hint then
      table.insert(lines, { '  ' .. field.hint, group = 'ParleyHint' })
    end
    if filling.problems[i] then
      table.insert(lines, { '  ! ' .. filling.problems[i], group = 'ParleyProblem' })
    end
  end
  if #filling.fields > 0 then
    table.insert(lines, { '' })
  end
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
    add_fields(lines, filling)
    questions.action(lines, #filling.fields > 0 and 'Send' or 'Yes', function()
      questions.answer(question, { action = 'accept', values = M.values(filling) }, function(err)
        refused(filling, err)
      end)
    end)
    questions.refusals(question, lines, true)
    questions.draw(question, lines)
  end
  if not filling then
    filling = fill(question.params.form, question.params.fields, draw)
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
    add_fields(lines, filling)
    questions.action(lines, 'Call', function()
      float.close(window)
      done(M.values(filling))
    end)
    if window then
      float.update(window, lines)
    else
      window = float.open(lines, function() end)
    end
  end
  filling = fill(tool.form, tool.fields, draw)
  draw()
end

return M
