--- Folders that a server may be told of.
local questions = require('parley.questions')

local M = {}

--- Puts a question (ask/roots) to the person.
function M.show(question)
  local folders = require('parley').config.roots or {}
  local lines = questions.heading(question, ' for the folders it may work on')
  for _, path in ipairs(folders) do
    table.insert(lines, { '  ' .. path })
  end
  table.insert(lines, { '' })
  questions.action(lines, ('Share %d folder%s'):format(#folders, #folders == 1 and '' or 's'), function()
    questions.answer(question, {
      action = 'accept',
      folders = vim.tbl_map(function(path)
        return { path = path }
      end, folders),
    })
  end)
  if #folders > 0 then
    questions.action(lines, 'Share none', function()
      questions.answer(question, { action = 'accept', folders = {} })
    end)
  end
  questions.refusals(question, lines, false)
  questions.draw(question, lines)
end

return M
