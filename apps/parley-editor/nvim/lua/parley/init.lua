--- Parley in Neovim: calls MCP tools and puts their questions to you.
--- |parley.txt| is the manual.
local M = {}

M.config = {
  --- The helper process and further arguments of it.
  cmd = { 'parley-editor' },

  --- Where calls are kept, so that they can be parked and outlive Neovim, and
  --- the file of the key that seals them (`parley-editor --new-key FILE` makes
  --- one). Without a key nothing is kept.
  state_dir = vim.fn.stdpath('data') .. '/parley',
  key_file = nil,

  --- The servers: { label = 'Weather', url = 'http://…' } or
  --- { label = 'Files', command = { 'a-server', '--flag' }, dir = '/…' }.
  servers = {},

  --- The folders that a server may be told of, after you agreed: a list of
  --- absolute paths. nil: no server can ask.
  roots = nil,

  --- Your model: { name = 'a-model', run = function(request, done) … end }.
  --- request is a CreateMessageRequest's params as JSON; call
  --- done(text) or done(nil, problem). nil: no server can ask.
  model = nil,

  --- Opens a page that you agreed to open.
  open_url = function(url)
    if vim.ui.open then
      return vim.ui.open(url)
    end
    local opener = vim.fn.has('mac') == 1 and 'open' or 'xdg-open'
    if vim.fn.jobstart({ opener, url }, { detach = true }) <= 0 then
      error('there is no ' .. opener)
    end
  end,
}

--- Takes your settings in place of the ones above.
function M.setup(settings)
  M.config = vim.tbl_extend('force', M.config, settings or {})
end

--- For the statusline: what waits for you, or nothing.
function M.statusline()
  local waiting = require('parley.questions').count()
  local running = require('parley.call').count()
  if waiting > 0 then
    return ('Parley: %d waiting for you'):format(waiting)
  elseif running > 0 then
    return ('Parley: %d running'):format(running)
  end
  return ''
end

--- Says something in one line.
function M.say(text, level)
  vim.notify('Parley: ' .. text, level or vim.log.levels.INFO)
end

function M.warn(text)
  M.say(text, vim.log.levels.WARN)
end

return M
