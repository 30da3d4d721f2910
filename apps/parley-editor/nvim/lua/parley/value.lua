--- What a field of a form holds: { text }, { chosen } or nothing, with the type
--- that was picked of a union.
local M = {}

--- A field as it is filled in: of a union, the type that was picked.
function M.picked(field, value)
  return field.types and value.type and field.types[value.type] or field
end

--- The values of a list: they are lines.
function M.lines(value)
  return vim.split(value.text or '', '\n', { plain = true, trimempty = true })
end

--- A field's value in words.
function M.words(field, value)
  local one = M.picked(field, value)
  if one.options then
    local chosen = {}
    for _, index in ipairs(value.chosen or {}) do
      table.insert(chosen, one.options[index + 1])
    end
    return #chosen > 0 and table.concat(chosen, ', ') or field.nothing
  end
  local text = value.text
  if not text or text == '' then
    return field.nothing
  elseif one.kind == 'list' then
    return table.concat(M.lines(value), ', ')
  end
  return (text:gsub('\n', '⏎'))
end

--- A value as the helper wants it. An empty table would be a list.
function M.encoded(value)
  if value.text and value.text ~= '' then
    return { text = value.text, type = value.type }
  elseif value.chosen and #value.chosen > 0 then
    return { chosen = value.chosen, type = value.type }
  elseif value.type then
    return { type = value.type }
  end
  return vim.empty_dict()
end

return M
