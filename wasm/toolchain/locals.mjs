import { Reader, ids, unsigned } from "./module.mjs"

/**
 * Gives the locals of each function other numbers: the more often one is named,
 * the lower, and none to those that are not. LLVM numbers them as they come,
 * which compresses less.
 *
 * @param {import("./module.mjs").Section[]} sections
 */
export function orderLocals(sections) {
  const section = (/** @type {number} */ of) => sections.find(({ id }) => id === of)
  const parameters = readTypes(section(ids.types).content)
  const types = new Reader(section(ids.functions).content, 0)
  const code = new Reader(section(ids.code).content, 0)
  types.unsigned() // as many as there are bodies
  const bodies = Array.from({ length: code.unsigned() }, () =>
    orderBody(code.take(code.unsigned()), parameters[types.unsigned()]))
  section(ids.code).content =
    Buffer.concat([unsigned(bodies.length), ...bodies.flatMap((body) => [unsigned(body.length), body])])
}

/** How many parameters each type has. @param {Uint8Array} content */
function readTypes(content) {
  const r = new Reader(content, 0)
  return Array.from({ length: r.unsigned() }, () => {
    if (r.byte() !== 0x60) throw new Error("a type is not that of a function")
    const parameters = r.take(r.unsigned()).length
    r.take(r.unsigned())
    return parameters
  })
}

/** @param {Uint8Array} body @param {number} parameters which keep their numbers */
function orderBody(body, parameters) {
  const r = new Reader(body, 0)
  const locals = Array.from({ length: r.unsigned() }, () => Array(r.unsigned()).fill(r.byte())).flat()
    .map((type, i) => ({ type, number: parameters + i, uses: 0 }))
  const instructions = []
  while (r.at < body.length) {
    const from = r.at
    const { op, local } = r.instruction()
    if (local >= parameters) locals[local - parameters].uses++
    instructions.push({ op, local, bytes: body.subarray(from, r.at) })
  }

  /** @type {Map<number, number>} uses of all that are of a type */
  const ofType = new Map()
  for (const { type, uses } of locals) ofType.set(type, (ofType.get(type) ?? 0) + uses)
  const ordered = locals.filter(({ uses }) => uses > 0).sort((a, b) =>
    ofType.get(b.type) - ofType.get(a.type) || b.type - a.type || b.uses - a.uses || a.number - b.number)
  const renamed = new Map(ordered.map(({ number }, i) => [number, parameters + i]))
  const types = [...new Set(ordered.map(({ type }) => type))]
  return Buffer.concat([
    unsigned(types.length),
    ...types.flatMap((type) => [unsigned(ordered.filter((l) => l.type === type).length), Uint8Array.of(type)]),
    ...instructions.flatMap(({ op, local, bytes }) =>
      local < parameters ? bytes : [Uint8Array.of(op), unsigned(renamed.get(local))]),
  ])
}
