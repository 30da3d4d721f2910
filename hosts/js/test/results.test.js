// Replays hosts/testdata/results, whose README.md says how the scripts read.
import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"

import { connect, Failure, load, requests } from "../dist/node.js"
import { equal, ok } from "./assert.js"

const folder = new URL("../../testdata/results/", import.meta.url)
const engine = await load()

/** The typed calls, by their methods. @type {Record<string, (session: import("../dist/node.js").Session) => Promise<any>>} */
const calls = {
  "tools/call": (session) => session.callTool({ name: "t" }),
  "prompts/get": (session) => session.getPrompt({ name: "p" }),
  "resources/read": (session) => session.readResource({ uri: "x:y" }),
}

const names = readdirSync(folder).filter((name) => name.endsWith(".txt"))
ok(names.length > 40, "scripts")
for (const name of names) {
  test(`result: ${name}`, async () => {
    const [, method = "", result = "", want = ""] = /^#.*\n\ncall (.*)\nresult (.*)\n----\n([^]*)\n$/.exec(readFileSync(new URL(name, folder), "utf8")) ?? []
    equal((await play(method, result)).join("\n"), want, name)
  })
}
test("nothing is left in the engine", () => equal(engine.live, 0, "live"))

/** What an untyped and a typed call give, line by line. @param {string} method @param {string} result */
async function play(method, result) {
  const session = connect(engine, requests(() => `{"jsonrpc":"2.0","id":1,"result":${result}}`))
  /** @type {string[]} */
  const lines = []
  const outcome = await session.call({ method })
  ok(outcome.status === "done" && outcome.result === result, "the result as it came")
  if (outcome.status === "done" && outcome.lacks !== undefined) lines.push(`lacks ${outcome.lacks}`)
  try {
    const read = await calls[method]?.(session)
    equal(read.raw, result, "raw")
    lines.push(`read ${JSON.stringify(ordered(shown(read)))}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, detail, raw, resumable, inDoubt, snapshot } = error
    equal([raw, resumable, inDoubt, snapshot], [result, false, false, undefined], "it was carried out")
    lines.push(`failed ${JSON.stringify({ code, detail })}`)
  }
  await session.close()
  return lines
}

/** @param {any} read */
function shown({ content, messages, contents, structuredContent, isError }) {
  return {
    content: content?.map(block),
    messages: messages?.map((/** @type {any} */ { role, content }) => ({ role, content: block(content) })),
    contents: contents?.map(resource),
    structuredContent,
    isError,
  }
}

/** @param {any} content */
function block({ type, text, data, uri, resource: embedded }) {
  if (type === "resource") return { type, ...resource(embedded) }
  return { type, text, bytes: bytes(data), uri }
}

/** @param {any} contents */
function resource({ text, blob }) {
  return { text, bytes: bytes(blob) }
}

/** @param {string | undefined} base64 */
const bytes = (base64) => (base64 === undefined ? undefined : Buffer.from(base64, "base64").length)

/** @param {any} value @returns {any} */
function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]))
}
