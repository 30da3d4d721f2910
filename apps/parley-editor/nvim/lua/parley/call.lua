--- Calls under way, and how they begin and end.
local M = {}

local running = {} -- by id

--- Opens a buffer with the result of a call.
local function show(outcome)
  vim.cmd('belowright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_name(buffer, 'parley://' .. outcome.call)
  local text = (outcome.text or ''):gsub('\n+$', '')
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[buffer].modifiable = false
end

--- Says how a call ended.
function M.ended(err, outcome)
  local parley = require('parley')
  if err then
    parley.warn(err.message)
    return
  end
  if outcome.problem then
    parley.warn(outcome.problem)
  end
  if outcome.status == 'done' then
    show(outcome)
    if outcome.isError then
      parley.warn('the tool says that this is an error')
    end
  elseif outcome.status == 'parked' then
    parley.say('parked as ' .. outcome.call .. ': :ParleyResume continues it')
  elseif outcome.status == 'stopped' then
    parley.say(outcome.reason)
  else
    local text = outcome.reason or 'the call failed'
    if outcome.kept then
      require('parley.parked').refused[outcome.call] = outcome.again
      local how = outcome.again and 'starts it over' or 'continues it'
      text = text .. ' (kept as ' .. outcome.call .. ': :ParleyResume ' .. how .. ')'
    end
    parley.warn(text)
  end
end

--- The server of a call: what of the settings the helper wants.
function M.server(entry)
  return { url = entry.url, command = entry.command, dir = entry.dir, label = entry.label }
end

local function label(entry)
  return entry.label or entry.url or entry.command[1]
end

local function call(entry, params)
  params.server = M.server(entry)
  require('parley.client').request('call', params, M.ended)
end

local function with_tool(entry, tool, task)
  if tool.form and #(tool.fields or {}) > 0 then
    require('parley.form').arguments(label(entry), tool, function(values)
      call(entry, { tool = tool.name, task = task, form = tool.form, values = values })
    end)
  elseif tool.form then
    call(entry, { tool = tool.name, task = task })
  else
    vim.ui.input({ prompt = 'Arguments of ' .. tool.name .. ' (JSON): ', default = '{}' }, function(text)
      if text then
        call(entry, { tool = tool.name, task = task, arguments = text })
      end
    end)
  end
end

--- Lists the tools and goes on with the one named, or lets the person choose.
local function with_server(entry, name)
  require('parley.client').request('tools', { server = M.server(entry) }, function(err, result)
    if err then
      require('parley').warn(err.message)
      return
    end
    for _, tool in ipairs(result.tools) do
      if tool.name == name then
        with_tool(entry, tool)
        return
      end
    end
    if name then
      require('parley').warn(label(entry) .. ' has no tool ' .. name)
      return
    end
    local ways = {} -- to call the tools
    for _, tool in ipairs(result.tools) do
      table.insert(ways, { tool = tool })
      if tool.task then
        table.insert(ways, { tool = tool, task = true })
      end
    end
    vim.ui.select(ways, {
      prompt = 'Tools of ' .. label(entry),
      format_item = function(way)
        local name = way.tool.name .. (way.task and ' (as a task)' or '')
        return way.tool.title and way.tool.title ~= '' and name .. ': ' .. way.tool.title or name
      end,
    }, function(way)
      if way then
        with_tool(entry, way.tool, way.task)
      end
    end)
  end)
end

--- The server that the arguments of :ParleyCall begin with, and what follows.
local function parse(args)
  local found, rest
  for _, entry in ipairs(require('parley').config.servers) do
    local name = label(entry)
    if args == name or vim.startswith(args, name .. ' ') then
      found, rest = entry, args:sub(#name + 1)
    end
  end
  if not found then
    local url, after = args:match('^(https?://%S+)(.*)$')
    if url then
      found, rest = { url = url }, after
    end
  end
  if not found then
    return nil
  end
  local tool, arguments = vim.trim(rest):match('^(%S+)%s*(.*)$')
  return found, tool, arguments ~= '' and arguments or nil
end

--- Goes on with the server that a label or URL names, or lets the person choose.
function M.choose_server(name, go)
  local servers = require('parley').config.servers
  if name ~= '' then
    local entry = parse(name)
    if entry then
      go(entry)
    else
      require('parley').warn('no server of this name is known, and it is no URL: ' .. name)
    end
  elseif #servers == 0 then
    require('parley').warn("no server is known: require('parley').setup{servers = …}, or :ParleyCall URL")
  else
    vim.ui.select(servers, { prompt = 'Server', format_item = label }, function(entry)
      if entry then
        go(entry)
      end
    end)
  end
end

--- :ParleyCall [server [tool [arguments]]]
function M.command(args)
  args = vim.trim(args)
  if args == '' then
    M.choose_server('', with_server)
    return
  end
  local entry, tool, arguments = parse(args)
  if not entry then
    require('parley').warn('no server of this name is known, and it is no URL: ' .. args)
  elseif arguments then
    call(entry, { tool = tool, arguments = arguments })
  else
    with_server(entry, tool)
  end
end

function M.complete(lead)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, vim.tbl_map(label, require('parley').config.servers))
end

--- Takes a call/status.
function M.status(params)
  running[params.call] = params.status ~= 'over' and params or nil
  vim.cmd('redrawstatus!')
end

--- Has the person choose a call under way, where there are several, and makes
--- a request about it.
local function about(method, prompt)
  local list = vim.tbl_values(running)
  local function go(one)
    if one then
      require('parley.client').request(method, { call = one.call })
    end
  end
  if #list == 0 then
    require('parley').say('no call is under way')
  elseif #list == 1 then
    go(list[1])
  else
    vim.ui.select(list, {
      prompt = prompt,
      format_item = function(one)
        return one.server .. ', ' .. one.subject
      end,
    }, go)
  end
end

--- :ParleyStop
function M.stop()
  about('cancel', 'Stop which call?')
end

--- :ParleyPark
function M.park()
  about('park', 'Park which call?')
end

function M.clear()
  running = {}
end

function M.count()
  return vim.tbl_count(running)
end

return M
