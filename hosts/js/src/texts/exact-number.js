// Whole numbers that a JavaScript number does not hold. A neighbour of an amount
// or an id is another one, so none takes its place.

/** The strings and the numbers of JSON text. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

/** Whether JSON.parse makes another number of one in the text: of a whole one, or of one that is beyond all. @param {string} json */
export function rounds(json) {
  return json.match(tokens)?.some(isRounded) ?? false
}

/** The text with those numbers in quotes: for models and chats, whose JSON is JavaScript's. @param {string} json */
export function inQuotes(json) {
  return json.replace(tokens, (token) => (isRounded(token) ? `"${token}"` : token))
}

/** @param {string} token */
function isRounded(token) {
  if (token.length < 5 || token[0] === '"') return false
  const value = Number(token)
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false // a fraction is the nearest double
  return token.length > 400 || !Number.isFinite(value) || digits(token) !== digits(String(value))
}

/** The digits of a number that count, and the power of ten of the last. @param {string} token */
function digits(token) {
  const [mantissa = "", exponent = "0"] = token.replace(/^-/, "").toLowerCase().split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  const all = whole + fraction
  const kept = all.replace(/0+$/, "")
  return `${kept.replace(/^0+/, "")}e${Number(exponent) - fraction.length + all.length - kept.length}`
}

/** Whether a value that was parsed already has a number that may be what is left of another. @param {unknown} value */
export function mayBeRounded(value) {
  let found = false
  JSON.stringify(value, (_, part) => {
    if (typeof part === "number" && Math.abs(part) > Number.MAX_SAFE_INTEGER && !(part % 1 > 0 || part % 1 < 0)) found = true
    return part
  })
  return found
}

/** Whether an answer to a form has a number that JSON.parse may have changed. @param {unknown} answers */
export function hasRounded(answers) {
  return Object.values(answers ?? {}).some((answer) => answer?.action !== undefined && mayBeRounded(answer.content))
}
