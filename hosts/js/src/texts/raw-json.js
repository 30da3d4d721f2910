// Parts of JSON text as they stand there. The text was parsed already, so it is
// JSON. Of members of one name the last counts, as for JSON.parse.

/** The JSON text of an object's member. @param {string} object @param {string} name @returns {string | undefined} */
export function member(object, name) {
  let found
  for (const part of members(object)) if (part.name === name) found = part.value
  return found
}

/** The JSON texts of the elements of a list, which is a member of an object. @param {string} object @param {string} name @returns {string[]} */
export function elements(object, name) {
  const list = member(object, name)
  return list === undefined ? [] : elementsOf(list)
}

/** The JSON texts of the elements of a list. @param {string} list @returns {string[]} */
export function elementsOf(list) {
  return Array.from(parts(list))
}

/** A value as a person would type it: of a list, one on each line. @param {string} json @returns {string} */
export function typedOf(json) {
  if (json.startsWith("[")) return elementsOf(json).map(typedOf).join("\n")
  return json.startsWith('"') ? JSON.parse(json) : json
}

/** @param {string} object @returns {Generator<{name: string, value: string}>} */
function* members(object) {
  for (const part of parts(object)) {
    const end = stringEnd(part, 0)
    yield { name: JSON.parse(part.slice(0, end)), value: part.slice(part.indexOf(":", end) + 1).trim() }
  }
}

/** What is between the brackets and the commas of an object or a list. @param {string} json @returns {Generator<string>} */
function* parts(json) {
  let from = json.search(/[[{]/) + 1
  for (let i = from, depth = 0; depth >= 0 && i < json.length; i++) {
    const char = json[i]
    if (char === '"') i = stringEnd(json, i) - 1
    else if (char === "{" || char === "[") depth++
    else if (char === "}" || char === "]") depth--
    if (depth > 0 || (depth === 0 && char !== ",")) continue
    const part = json.slice(from, i).trim()
    if (part) yield part
    from = i + 1
  }
}

/** Where a string ends that begins at a place. @param {string} json @param {number} at */
function stringEnd(json, at) {
  for (let i = at + 1; ; i++) {
    if (json[i] === "\\") i++
    else if (json[i] === '"') return i + 1
  }
}
