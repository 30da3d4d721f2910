--- A window above the others that shows lines and does what the line under the
--- cursor is for. Nothing happens by a single letter: what is typed when a
--- question comes up must not be taken for its answer.
local M = {}

local namespace = vim.api.nvim_create_namespace('parley')

local groups = {
  ParleyHost = 'Title',
  ParleyQuote = 'Normal',
  ParleyAction = 'Function',
  ParleyProblem = 'WarningMsg',
  ParleyAddress = 'Underlined',
  ParleyHint = 'Comment',
  ParleyField = 'Identifier',
}

local function highlights()
  for name, link in pairs(groups) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

--- lines is a list of { text, group = …, act = function, spans = {{from, to, group}} }.
local function render(float, lines)
  local texts, rows = {}, {}
  for _, line in ipairs(lines) do
    -- A line break would make a line of its own, which could pass for the host's.
    for i, text in ipairs(vim.split(line[1], '\n', { plain = true })) do
      table.insert(texts, text)
      table.insert(rows, i == 1 and line or { text, group = line.group })
    end
  end
  float.rows = rows
  vim.bo[float.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(float.buffer, 0, -1, false, texts)
  vim.bo[float.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(float.buffer, namespace, 0, -1)
  local function paint(row, from, to, group)
    vim.api.nvim_buf_set_extmark(float.buffer, namespace, row - 1, from, { end_col = to, hl_group = group })
  end
  for row, line in ipairs(rows) do
    if line.group then
      paint(row, 0, #texts[row], line.group)
    end
    for _, span in ipairs(line.spans or {}) do
      paint(row, span[1], span[2], span[3])
    end
  end
  return texts
end

local function layout(texts)
  local width = math.max(20, math.min(100, vim.o.columns - 6))
  local height = 0
  for _, text in ipairs(texts) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(text) / width))
  end
  height = math.max(1, math.min(height, vim.o.lines - 6))
  return {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
  }
end

--- Opens the window. later is called when the person closes it without having
--- chosen anything.
function M.open(lines, later)
  highlights()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  local float = { buffer = buffer }
  local texts = render(float, lines)
  float.window = vim.api.nvim_open_win(buffer, true, layout(texts))
  vim.wo[float.window].wrap = true
  vim.wo[float.window].linebreak = true
  vim.wo[float.window].cursorline = true

  local function map(key, action)
    vim.keymap.set('n', key, action, { buffer = buffer, nowait = true })
  end
  map('<CR>', function()
    local line = float.rows[vim.api.nvim_win_get_cursor(0)[1]]
    if line and line.act then
      line.act()
    end
  end)
  for key, backwards in pairs({ ['<Tab>'] = false, ['<S-Tab>'] = true }) do
    map(key, function()
      M.jump(float, backwards)
    end)
  end
  for _, key in ipairs({ 'q', '<Esc>' }) do
    map(key, function()
      M.close(float)
      later()
    end)
  end
  return float
end

--- Moves the cursor to the next line that does something.
function M.jump(float, backwards)
  local at = vim.api.nvim_win_get_cursor(float.window)[1]
  local count = #float.rows
  for step = 1, count do
    local row = (at - 1 + (backwards and -step or step)) % count + 1
    if float.rows[row].act then
      vim.api.nvim_win_set_cursor(float.window, { row, 0 })
      return
    end
  end
end

function M.update(float, lines)
  if not vim.api.nvim_win_is_valid(float.window) then
    return
  end
  local texts = render(float, lines)
  local row = math.min(vim.api.nvim_win_get_cursor(float.window)[1], #texts)
  vim.api.nvim_win_set_config(float.window, layout(texts))
  vim.api.nvim_win_set_cursor(float.window, { row, 0 })
end

function M.close(float)
  if vim.api.nvim_win_is_valid(float.window) then
    vim.api.nvim_win_close(float.window, true)
  end
end

--- Adds text of a server's, with a bar before each line: nothing it says can
--- pass for the host's own words.
function M.quote(lines, text, indent)
  if not text or text == '' then
    return
  end
  for _, line in ipairs(vim.split(text:gsub('\n+$', ''), '\n', { plain = true })) do
    table.insert(lines, { (indent or '') .. '┃ ' .. line, group = 'ParleyQuote' })
  end
end

return M
