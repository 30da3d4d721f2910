-- The commands of parley.nvim; lua/parley does the work when one is used.
if vim.g.loaded_parley then
  return
end
vim.g.loaded_parley = true

local command = vim.api.nvim_create_user_command

command('ParleyCall', function(opts)
  require('parley.call').command(opts.args)
end, {
  nargs = '*',
  desc = 'Call a tool: [server [tool [arguments as JSON]]]',
  complete = function(lead)
    return require('parley.call').complete(lead)
  end,
})

command('ParleyAnswer', function()
  require('parley.questions').show()
end, { desc = 'Show the next question that waits for you' })

command('ParleyStop', function()
  require('parley.call').stop()
end, { desc = 'Stop a call that is under way' })

command('ParleyPark', function()
  require('parley.call').park()
end, { desc = 'Park a call that is under way' })

command('ParleyParked', function()
  require('parley.parked').list()
end, { desc = 'List the parked calls' })

for name, action in pairs({ ParleyResume = 'resume', ParleyDiscard = 'discard' }) do
  command(name, function(opts)
    require('parley.parked').command(action, opts.args)
  end, { nargs = '?', desc = action .. ' a parked call: [id]' })
end

for name, method in pairs({ ParleySignIn = 'login', ParleySignOut = 'logout' }) do
  command(name, function(opts)
    require('parley.accounts').command(method, opts.args)
  end, {
    nargs = '*',
    desc = method .. ': [server]',
    complete = function(lead)
      return require('parley.call').complete(lead)
    end,
  })
end

command('ParleyLog', function()
  require('parley.log').open()
end, { desc = 'Show what servers logged' })
