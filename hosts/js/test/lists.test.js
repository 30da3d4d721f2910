// Replays hosts/testdata/lists, whose README.md says how the scripts read.
import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"

import { connect, Failure, load, requests } from "../dist/node.js"
import { expand } from "./corpus/script.js"
import { equal, ok } from "./assert.js"

/** @import { Outbound, Session } from "../dist/node.js" */

const folder = new URL("../../testdata/lists/", import.meta.url)
const engine = await load()

const methods = { tools: "tools/list", prompts: "prompts/list", resources: "resources/list", resourceTemplates: "resources/templates/list" }

/** What of an item is shown, in this order. @type {Record<keyof typeof methods, string[]>} */
const shown = {
  tools: ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "icons"],
  prompts: ["name", "title", "description", "arguments", "icons"],
  resources: ["uri", "name", "title", "description", "mimeType", "size", "annotations", "icons"],
  resourceTemplates: ["uriTemplate", "name", "title", "description", "mimeType", "annotations", "icons"],
}

/** In what order the members of members are shown. */
const inside = ["src", "name", "title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "taskSupport", "audience", "priority", "lastModified", "description", "required", "mimeType", "sizes", "theme"]

const names = readdirSync(folder).filter((name) => name.endsWith(".txt"))
ok(names.length > 25, "scripts")
for (const name of names) {
  test(`list: ${name}`, async () => {
    const [given = "", want = ""] = readFileSync(new URL(name, folder), "utf8")
      .replace(/^(#.*\n)+/, "")
      .split("\n----\n")
    equal((await play(expand(given.trim()))).join("\n"), want.trim(), name)
  })
}
test("nothing is left in the engine", () => equal(engine.live, 0, "live"))

/** What happens, line by line. @param {string} given */
async function play(given) {
  const script = given.split("\n").map((line) => line.split(/ (.*)/s))
  const said = (/** @type {string} */ verb) => script.find(([name]) => name === verb)?.[1]
  const list = /** @type {keyof typeof methods} */ (said("list"))
  const stop = Number(said("stop") ?? Infinity)
  const [endless, many] = [said("endless"), said("items")]
  const answers = script.filter(([verb]) => verb === "page" || verb === "error" || verb === "items")

  /** @type {string[]} */
  const lines = []
  let [asked, listed] = [0, 0]
  const send = (/** @type {Outbound} */ { method, params }) => {
    equal(method, methods[list])
    if (!endless) lines.push(`ask ${params}`)
    const [verb, text = ""] = answers[asked++] ?? []
    if (verb === "error") return `{"jsonrpc":"2.0","id":1,"error":${text}}`
    const [, count, item] = /^(\d+) (.*)$/s.exec(many ?? "") ?? []
    const page = verb === "items" ? `{"resultType":"complete","${list}":[${Array(Number(count)).fill(item)}]}` : verb === "page" ? text : endless?.replace(/}$/, `,"nextCursor":"c${asked}"}`)
    if (page === undefined) throw new Error("a request too many")
    return `{"jsonrpc":"2.0","id":1,"result":${page}}`
  }
  /** @type {string[]} */
  const warned = []
  const session = connect(engine, requests(send), { watchers: { onWarning: (text) => warned.push(`warned ${text}`) } })
  let last = "end"
  try {
    for await (const item of session[list]()) {
      listed++
      if (!many) lines.push(`item ${fields(shown[list], item)}`)
      if (listed === stop) break
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, detail } = error
    last = `failed ${JSON.stringify(error.response === undefined ? { code, detail } : { code })}`
  }
  await session.close()
  if (endless) lines.push(`asked ${asked}`)
  if (many) lines.push(`listed ${listed}`)
  return [...lines, last, ...warned]
}

/** @param {string[]} names @param {any} item */
function fields(names, item) {
  // A tool without a schema takes any arguments.
  const { inputSchema, ...rest } = item
  if (/"inputSchema":\s*{/.test(item.raw)) rest.inputSchema = inputSchema
  return JSON.stringify(Object.fromEntries(names.filter((name) => name === "name" || !isEmpty(rest[name])).map((name) => [name, /Schema$/.test(name) ? rest[name] : ordered(rest[name])])))
}

/** @param {any} value @returns {any} */
function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(inside.filter((name) => !isEmpty(value[name])).map((name) => [name, ordered(value[name])]))
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
}
