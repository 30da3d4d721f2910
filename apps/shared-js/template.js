// The templates of resources' addresses, filled in: RFC 6570, all four levels,
// without lists, since MCP has texts only. apps/shared-go/request is the same in Go.

/** How long a template may be, in characters: it is the server's. */
const most = 8 << 10

/** What a template is filled in with; without what is required the address would have a hole. @typedef {{name: string, required: boolean}} Variable */

/** A variable where it stands. @typedef {{name: string, prefix: number}} Place */

/**
 * What stands in braces: an operator, here as what it does.
 *
 * @typedef {{first: string, between: string, named?: boolean, reserved?: boolean, required?: boolean}} Expression
 */

/** @type {Record<string, Expression>} */
const operators = {
  "+": { first: "", between: ",", reserved: true, required: true },
  "#": { first: "#", between: ",", reserved: true },
  ".": { first: ".", between: ".", required: true },
  "/": { first: "/", between: "/", required: true },
  ";": { first: ";", between: ";", named: true, required: true },
  "?": { first: "?", between: "&", named: true },
  "&": { first: "&", between: "&", named: true },
}

/** @type {Expression} */
const simple = { first: "", between: ",", required: true }

/** The variables of a template, each once, in their order; none if the text is no template. @param {string} template @returns {Variable[]} */
export function variables(template) {
  /** @type {Variable[]} */
  const list = []
  const whole = walk(template, ({ required = false }, { name }) => {
    const known = list.find((one) => one.name === name)
    if (known) known.required ||= required
    else list.push({ name, required })
    return ""
  })
  return whole === undefined ? [] : list
}

/** Fills a template in. What is empty is left out. @param {string} template @param {Map<string, string>} values */
export function expand(template, values) {
  return (
    walk(template, ({ named, reserved }, { name, prefix }) => {
      const value = values.get(name)
      if (!value) return ""
      const text = escaped(prefix ? [...value].slice(0, prefix).join("") : value, reserved)
      return named ? `${name}=${text}` : text
    }) ?? ""
  )
}

/**
 * Puts in the place of each variable what `fill` returns; nothing if the text is
 * no template.
 *
 * @param {string} template @param {(expression: Expression, place: Place) => string} fill
 */
function walk(template, fill) {
  if (template.length > most || /\p{Surrogate}/u.test(template)) return undefined
  let text = ""
  for (const part of template.split(/(\{[^{}]+\})/)) {
    if (!part.startsWith("{")) {
      if (/[{}]/.test(part)) return undefined
      text += escaped(part, true)
      continue
    }
    const operator = Object.hasOwn(operators, part[1] ?? "") ? operators[part[1] ?? ""] : undefined
    const expression = operator ?? simple
    const places = part.slice(operator ? 2 : 1, -1).split(",").map(parse)
    let before = expression.first
    for (const place of places) {
      if (!place) return undefined
      const filled = fill(expression, place)
      if (!filled) continue
      text += before + filled
      before = expression.between
    }
  }
  return text
}

/** A name, perhaps with how much of its value is wanted. An asterisk is for lists. @param {string} spec @returns {Place | undefined} */
function parse(spec) {
  const [, name, prefix] = /^([\w.%]+)(?::([1-9]\d{0,3})|\*)?$/.exec(spec) ?? []
  return name === undefined ? undefined : { name, prefix: Number(prefix ?? 0) }
}

/** A text with what may not stand in an address as percent and hexadecimal. @param {string} text @param {boolean} [reserved] what addresses are made of stays */
function escaped(text, reserved) {
  const kept = reserved ? /%[\dA-Fa-f]{2}|[^\w\-.~:/?#[\]@!$&'()*+,;=]/gu : /[^\w\-.~]/gu
  return text.replace(kept, (found) => (found.length === 3 && found[0] === "%" ? found : percent(found)))
}

/** @param {string} char */
function percent(char) {
  return [...new TextEncoder().encode(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")
}
