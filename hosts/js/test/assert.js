// The assertions of every suite. They run in Node, in pages and in workers
// alike, so they use nothing but the language.

/** @param {unknown} got @param {unknown} want @param {string} [what] */
export function equal(got, want, what = "value") {
  const [a, b] = [show(got), show(want)]
  if (a !== b) throw new Error(`${what}: got ${cut(a)}, want ${cut(b)}`)
}

/** @param {unknown} value @param {string} what */
export function ok(value, what) {
  if (!value) throw new Error(`${what}: got ${cut(show(value))}`)
}

/** @param {unknown} text @param {string | RegExp} part @param {string} [what] */
export function contains(text, part, what = "text") {
  const found = part instanceof RegExp ? part.test(String(text)) : String(text).includes(part)
  if (!found) throw new Error(`${what}: got ${cut(String(text))}, want it to contain ${part}`)
}

/**
 * Fails unless call throws or rejects, and returns what with.
 *
 * @param {() => unknown} call @param {string} what
 * @returns {Promise<any>}
 */
export async function thrown(call, what) {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error(`${what}: nothing was thrown`)
}

/** JSON with the members of objects sorted, undefined ones left out. @param {unknown} value */
function show(value) {
  if (typeof value === "symbol" || value === undefined || value instanceof Error) return String(value)
  return JSON.stringify(value, (_, v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v))
}

/** @param {string} text */
function cut(text) {
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length})` : text
}
