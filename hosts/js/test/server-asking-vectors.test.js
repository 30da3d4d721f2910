// Replays codec/testdata/asking, as hosts/go/gosdk and hosts/python do: what one
// language has begun another goes on with.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"

import { Cancelled, Declined, form } from "../dist/server/index.js"
import { serve } from "./asking-server.js"

/** @import { Ask } from "../dist/server/index.js" */

const vectors = new URL("../../../codec/testdata/asking/", import.meta.url)
/** @type {any} */
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

/** @param {Promise<Record<string, any>>} asked */
async function said(asked) {
  try {
    return (await asked).a
  } catch (error) {
    if (error instanceof Declined) return "decline"
    if (error instanceof Cancelled) return "cancel"
    throw error
  }
}

/** @param {string} first @returns {(ask: Ask) => Promise<string>} */
const names = (first) => async (ask) => `${await said(ask.form(first, schema))} and ${await said(ask.form("Your friend's?", schema))}`

/** @type {Record<string, (ask: Ask) => Promise<string>>} */
const handlers = {
  names: names("Your name?"),
  renamed: names("Your full name?"),
  trip: async (ask) => {
    const [to, from] = await ask.all(form("Where <to> & when?", schema, { key: "to" }), form("From?", schema, { key: "from" }))
    const [root] = await ask.roots()
    const river = await ask.sampling("Name a river.")
    const { action } = await ask.elicit({ message: "Look.", url: "https://example.com/" })
    return `${from.a} ${to.a} ${root?.uri} ${river} ${action}`
  },
  once: async (ask) => {
    const order = await ask.once("order", () => ({ number: 4711, "<text>": "\u2028ü", list: [1.5, null, true] }))
    return said(ask.form(`Send ${order["<text>"]}?`, schema))
  },
  defaults: async (ask) => {
    const { sitting } = await ask.form("How many?", {
      type: "object",
      properties: { seats: { type: "integer", minimum: 1, maximum: 8 }, sitting: { type: "string", default: "late" } },
      required: ["seats"],
    })
    return `${await said(ask.form("Sure?", schema))} ${sitting}`
  },
}

for (const file of readdirSync(vectors).filter((name) => name.endsWith(".txt"))) {
  test(`vector ${file}`, async () => {
    const lines = readFileSync(new URL(file, vectors), "utf8").split("\n").filter((line) => line && !line.startsWith("#"))
    assert.ok(lines.length > 0 && lines.length % 3 === 0, "a vector has calls")
    /** @type {string | undefined} */
    let requestState
    for (let i = 0; i < lines.length; i += 3) {
      const [, name = "", answers = ""] = /^(\w+) (.*)$/.exec(lines[i] ?? "") ?? []
      const want = JSON.parse(lines[i + 2] ?? "")
      const call = serve((_, ask) => handlers[name]?.(ask) ?? "")
      const { result } = await call({ requestState, inputResponses: JSON.parse(answers) })
      assert.deepEqual(result.inputRequests, want.questions)
      assert.equal(result.requestState, want.token) // which holds the state, so Go opens it, too
      assert.equal(result.content?.[0].text, want.text)
      requestState = want.token
    }
  })
}
