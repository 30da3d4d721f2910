--- The helper process, spoken to as Neovim speaks to language servers.
local M = {}

local rpc -- nil while there is no process
local waiting = {} -- what to do when the helper is initialized
local ready = false
local parking = false

local requests = {
  ['ask/elicit'] = 'parley.form',
  ['ask/sign-in'] = 'parley.sign_in.whether',
  ['ask/browser'] = 'parley.sign_in.where',
  ['ask/url'] = 'parley.page',
  ['ask/sample'] = 'parley.sample',
  ['ask/roots'] = 'parley.roots',
}

local notifications = {
  ['ask/withdrawn'] = function(params)
    require('parley.questions').withdraw(params.ask)
  end,
  ['call/status'] = function(params)
    require('parley.call').status(params)
  end,
  ['call/progress'] = function(params)
    require('parley').say(params.server .. ': ' .. params.text)
  end,
  ['server/log'] = function(params)
    require('parley.log').add(params)
  end,
}

local dispatchers = {
  notification = function(method, params)
    local handle = notifications[method]
    if handle then
      vim.schedule(function()
        handle(params)
      end)
    end
  end,
  -- A question is confirmed at once and answered later, by a request of ours.
  server_request = function(method, params)
    local kind = requests[method]
    if not kind then
      return nil, vim.lsp.rpc.rpc_response_error(vim.lsp.protocol.ErrorCodes.MethodNotFound)
    end
    require('parley.questions').add(params, require(kind))
    return vim.empty_dict(), nil
  end,
  on_error = function(code)
    vim.schedule(function()
      require('parley').warn('a message of parley-editor could not be read (' .. tostring(code) .. ')')
    end)
  end,
  on_exit = function(code)
    vim.schedule(function()
      M.ended(code)
    end)
  end,
}

local function arguments()
  local config = require('parley').config
  local args = vim.list_slice(config.cmd, 2)
  if config.key_file then
    vim.list_extend(args, { '--state-dir', config.state_dir, '--key-file', config.key_file })
  end
  return config.cmd[1], args
end

local function start()
  local program, args = arguments()
  if vim.fn.executable(program) == 0 then
    require('parley').warn(program .. ' is not there: build it as apps/parley-editor/README.md says, or set cmd')
    return
  end
  if vim.fn.has('nvim-0.10') == 1 then
    rpc = vim.lsp.rpc.start(vim.list_extend({ program }, args), dispatchers)
  else
    rpc = vim.lsp.rpc.start(program, args, dispatchers)
  end
  if not rpc then
    return
  end
  local config = require('parley').config
  rpc.request('initialize', {
    protocol = 1,
    client = { name = 'parley.nvim', version = '1' },
    asks = { elicit = true, url = true, authorize = true, sample = config.model ~= nil, roots = config.roots ~= nil },
  }, function(err, result)
    if err then
      require('parley').warn(err.message)
      return
    end
    ready, parking = true, result.parking
    local list = waiting
    waiting = {}
    for _, go in ipairs(list) do
      go()
    end
  end)
end

--- Sends a request, and starts the helper first if need be. done(err, result)
--- is called when the answer comes.
function M.request(method, params, done)
  if not rpc then
    start()
  end
  if not rpc then
    return
  end
  local function go()
    rpc.request(method, params, done or function(err)
      if err then
        require('parley').warn(err.message)
      end
    end)
  end
  if ready then
    go()
  else
    table.insert(waiting, go)
  end
end

--- Whether calls are kept.
function M.parking()
  return parking
end

--- The helper is gone: nothing that was asked can be answered any more.
function M.ended(code)
  if not rpc then
    return
  end
  rpc, ready, waiting = nil, false, {}
  require('parley.questions').clear()
  require('parley.call').clear()
  if code ~= 0 then
    require('parley').warn('parley-editor ended (exit ' .. code .. '); calls that were asked something are among :ParleyParked')
  end
end

return M
