/**
 * What a list shows of a call without taking it. It is sealed as the snapshot
 * is. Whose call it is, is for the host to say: one key opens the calls of
 * everybody.
 *
 * @typedef {object} About
 * @property {string} [principal] whose call it is
 * @property {string} [peer] the server, as the engine knows it
 * @property {string} [label] what the host calls the server
 * @property {string} [method]
 * @property {string} [name] of the tool or prompt, or a resource's URI
 * @property {string} [title] what the server calls it, for people
 * @property {number} [questions] how many are open
 * @property {string[]} [titles] of these, if the host wants them to be seen
 * @property {string} [task] the status of the task that the call has become
 * @property {boolean} [inDoubt] a leg may have arrived
 * @property {boolean} [over] nothing can continue
 */

/** How long an About may be, in bytes of JSON. */
export const maxAbout = 8 << 10

/** The members, in the order in which every host writes them. @type {Record<keyof About, "string" | "number" | "texts" | "boolean">} */
const members = {
  principal: "string",
  peer: "string",
  label: "string",
  method: "string",
  name: "string",
  title: "string",
  questions: "number",
  titles: "texts",
  task: "string",
  inDoubt: "boolean",
  over: "boolean",
}

/** As JSON; undefined if nothing is said. @param {About} [about] @returns {Uint8Array | undefined} */
export function aboutText(about) {
  const said = Object.keys(members)
    .map((name) => [name, about?.[/** @type {keyof About} */ (name)]])
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value))
  if (!said.length) return
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(said)))
  if (text.length > maxAbout) throw new TypeError(`parley: what is said about a call is longer than ${maxAbout} bytes`)
  return text
}

/** @param {Uint8Array} text @returns {About} */
export function readAbout(text) {
  /** @type {unknown} */
  let read
  try {
    if (text.length <= maxAbout) read = JSON.parse(new TextDecoder().decode(text))
  } catch {} // said below
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw unreadable()
  /** @type {Record<string, unknown>} */
  const about = {}
  for (const [name, kind] of Object.entries(members)) {
    const value = /** @type {Record<string, unknown>} */ (read)[name]
    if (value === undefined || value === null) continue
    const right = kind === "texts" ? Array.isArray(value) && value.every((one) => typeof one === "string") : kind === "number" ? Number.isSafeInteger(value) : typeof value === kind
    if (!right) throw unreadable()
    about[name] = value
  }
  return about
}

function unreadable() {
  return new Error("parley: what is said about the call cannot be read")
}
