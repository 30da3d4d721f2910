import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { connect, requests } from "../parley.js"
import { maySuggest, suggestions } from "../suggestions.js"

/** @import { Offer } from "../offers.js" */

const engine = await load()
/** @type {Offer} */
const prompt = { method: "prompts/get", name: "review", title: "", description: "", schema: "{}" }
/** @type {Offer} */
const template = { method: "resources/read", name: "logs://{service}/{day}", title: "", description: "", schema: "{}", template: true }

/** What a server suggests that answers with a member, and what it was asked. @param {string} answer @param {Offer} offer @param {string} argument @param {Record<string, string>} texts */
async function suggested(answer, offer, argument, texts) {
  /** @type {any[]} */
  const asked = []
  const session = connect(
    engine,
    requests(({ params }) => {
      const { _meta, ...rest } = JSON.parse(params)
      asked.push(rest)
      return `{"jsonrpc":"2.0","id":1,${answer}}`
    }),
  )
  try {
    return { ...(await suggestions(session, offer, argument, texts, new AbortController().signal)), asked }
  } finally {
    await session.close()
  }
}

test("what a server suggests, given what else is filled in", async () => {
  const answer = '"result":{"completion":{"values":["python","py\\u202eton","a\\nb","","pyret"],"hasMore":true}}'
  assert.deepEqual(await suggested(answer, prompt, "language", { language: "py", framework: "", "__proto__x": "1" }), {
    values: ["python", "pyret"],
    more: true,
    asked: [{ ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "py" }, context: { arguments: { "__proto__x": "1" } } }],
  })
  assert.deepEqual((await suggested(answer, template, "day", { service: "", day: "" })).asked, [
    { ref: { type: "ref/resource", uri: "logs://{service}/{day}" }, argument: { name: "day", value: "" } },
  ])
})

test("a server that fails suggests nothing", async () => {
  for (const answer of ['"error":{"code":-32601,"message":"no"}', '"error":{"code":-32603,"message":"no"}', '"result":{"completion":{}}']) {
    const { values, more } = await suggested(answer, prompt, "language", {})
    assert.deepEqual([values, more], [[], false], answer)
  }
})

test("tools and addresses have no suggestions", () => {
  const resource = { ...template, template: undefined, name: "logs://all" }
  assert.deepEqual([prompt, template, resource, { ...prompt, method: /** @type {const} */ ("tools/call") }].map((one) => maySuggest(/** @type {Offer} */ (one))), [true, true, false, false])
})
