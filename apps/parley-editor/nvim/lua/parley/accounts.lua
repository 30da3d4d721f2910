--- Signing in and out without a call that wants it.
local M = {}

--- method is login or logout, name a server's or empty.
function M.command(method, name)
  local parley, call = require('parley'), require('parley.call')
  call.choose_server(vim.trim(name), function(entry)
    require('parley.client').request(method, { server = call.server(entry) }, function(err, result)
      if err then
        parley.warn(err.message)
      elseif method == 'logout' then
        parley.say('you are signed out')
      else
        parley.say('you are signed in at ' .. result.host)
      end
    end)
  end)
end

return M
