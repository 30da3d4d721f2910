--- Has values typed, chosen and picked. A filling is { form, fields, values,
--- problems }, redrawn by changed().
local values = require('parley.value')

local M = {}

--- Asks the engine what is wrong with a value, or with one value of a list;
--- done(problem) with nil if nothing is.
local function validate(filling, i, value, done, one)
  local params = { form = filling.form, field = i - 1, value = values.encoded(value), one = one or nil }
  filling.checking = filling.checking + 1
  require('parley.client').request('validate', params, function(err, result)
    local problem = err and err.message or result.problem
    filling.checking = filling.checking - 1
    if problem then
      filling.send = nil -- the person has to see it first
    end
    done(problem)
    if filling.checking == 0 and filling.send then
      M.send(filling, filling.send)
    end
  end)
end

--- Sends what was filled in, once all of it has been checked: what was typed last
--- is not lost.
function M.send(filling, send)
  if filling.checking > 0 then
    filling.send = send
  else
    filling.send = nil
    send()
  end
end

--- Takes a value, whether it is good or not; done(), if given, follows.
function M.take(filling, i, value, done)
  filling.values[i] = value
  validate(filling, i, value, function(problem)
    filling.problems[i] = problem
    filling.changed()
    if done then
      vim.cmd('redraw')
      done()
    end
  end)
end

--- What was typed or chosen, of the type that was picked.
local function typed_as(filling, i, value)
  value.type = filling.values[i].type
  return value
end

--- Has a text typed, again and again until it is good or given up. fits(text,
--- done) says what is wrong with it, and good(text) takes it.
local function type_in(label, text, fits, good, problem)
  local prompt = (problem and problem .. ' ' or '') .. label .. ': '
  vim.ui.input({ prompt = prompt, default = text }, function(typed)
    if typed == nil then
      vim.cmd("redraw | echo ''") -- the prompt still stands there
      return
    end
    fits(typed, function(wrong)
      if wrong then
        type_in(label, typed, fits, good, wrong .. '.')
      else
        good(typed)
        vim.cmd("redraw | echo ''")
      end
    end)
  end)
end

local function type_text(filling, i)
  type_in(filling.fields[i].label, filling.values[i].text or '', function(text, done)
    validate(filling, i, typed_as(filling, i, { text = text }), done)
  end, function(text)
    filling.values[i], filling.problems[i] = typed_as(filling, i, { text = text }), nil
    filling.changed()
  end)
end

--- Takes the values of a list; done(), if given, follows.
local function take_list(filling, i, list, done)
  M.take(filling, i, typed_as(filling, i, { text = table.concat(list, '\n') }), done)
end

--- Has a value of a list typed: the one at an index, or one more and then others,
--- until the person leaves one empty.
local function type_value(filling, i, index)
  local list = values.lines(filling.values[i])
  local more = index > #list
  local label = filling.fields[i].label .. (more and ', one more (none to end)' or '')
  type_in(label, list[index] or '', function(text, done)
    validate(filling, i, typed_as(filling, i, { text = text }), done, true)
  end, function(text)
    if text == '' then
      return
    end
    list[index] = text
    take_list(filling, i, list, more and function()
      type_value(filling, i, #list + 1)
    end)
  end)
end

function M.add_value(filling, i)
  type_value(filling, i, #values.lines(filling.values[i]) + 1)
end

--- Has a value of a list changed or taken out.
function M.change_value(filling, i, index)
  local list = values.lines(filling.values[i])
  vim.ui.select({ 'Change it', 'Take it out' }, { prompt = list[index] }, function(_, chosen)
    if chosen == 1 then
      type_value(filling, i, index)
    elseif chosen == 2 then
      table.remove(list, index)
      take_list(filling, i, list)
    end
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
      local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
      M.take(filling, i, typed_as(filling, i, { text = text }))
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

--- Has one of some things chosen: items are { text, value }, and done(value) is
--- called. What leaves the field empty comes last, if it may be.
local function choose(filling, i, items, done)
  local field = filling.fields[i]
  if field.leave then
    table.insert(items, { '(' .. field.leave .. ')' })
  end
  vim.ui.select(items, {
    prompt = field.label,
    format_item = function(item)
      return item[1]
    end,
  }, function(item)
    if item and item[2] then
      done(item[2])
    elseif item then
      M.take(filling, i, {})
    end
  end)
end

local function choose_option(filling, i)
  local items = {}
  for index, option in ipairs(values.picked(filling.fields[i], filling.values[i]).options) do
    table.insert(items, { option, typed_as(filling, i, { chosen = { index - 1 } }) })
  end
  choose(filling, i, items, function(value)
    M.take(filling, i, value)
  end)
end

--- Has a value typed or chosen, or its first one.
function M.fill_in(filling, i)
  local value = filling.values[i]
  local one = values.picked(filling.fields[i], value)
  if one.kind == 'list' then
    M.add_value(filling, i)
  elseif one.kind == 'boolean' or one.kind == 'choice' then
    choose_option(filling, i)
  elseif (value.text or ''):find('\n') then
    edit(filling, i)
  elseif one.kind ~= 'choices' then
    type_text(filling, i)
  end
end

--- Has the type of a value picked, and then the value filled in: which type a
--- text is meant to be is never guessed from it.
function M.pick(filling, i)
  local items = {}
  for index, one in ipairs(filling.fields[i].types) do
    table.insert(items, { one.label, index })
  end
  choose(filling, i, items, function(index)
    local one = filling.fields[i].types[index]
    if one.kind == 'choice' and #one.options == 1 then -- nothing more is to be chosen
      M.take(filling, i, { type = index, chosen = { 0 } })
      return
    end
    if filling.values[i].type ~= index then
      filling.values[i], filling.problems[i] = { type = index }, nil
      filling.changed()
    end
    M.fill_in(filling, i)
  end)
end

function M.toggle(filling, i, option)
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
  M.take(filling, i, typed_as(filling, i, { chosen = chosen }))
end

return M
