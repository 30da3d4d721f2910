--- What servers log, and what is told of them: the last lines of it.
local M = {}

local most = 1000
local lines = {}

--- Takes a server/log. Warnings are said at once.
function M.add(params)
  local line = params.server .. ': ' .. (params.level and params.level .. ': ' or '') .. params.text
  table.insert(lines, line)
  if #lines > most then
    table.remove(lines, 1)
  end
  if params.level == 'warning' then
    require('parley').warn(params.server .. ': ' .. params.text)
  end
end

--- Opens a buffer with the lines.
function M.open()
  vim.cmd('belowright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
end

return M
