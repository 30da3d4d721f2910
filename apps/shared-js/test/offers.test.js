import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { argumentFields } from "../argument-fields.js"
import { offers } from "../offers.js"
import { connect, requests } from "../parley.js"

const engine = await load()
/** @type {Record<string, string>} */
const lists = {
  "tools/list": '"tools":[{"name":"scale","description":"Scales.","inputSchema":{"type":"object","properties":{"by":{"type":"number","default":1.0}}}}]',
  "prompts/list": '"prompts":[{"name":"review","title":"Review it","arguments":[{"name":"code","title":"The code","required":true},{"name":"in"}]}]',
  "resources/list": '"resources":[{"uri":"a://b","name":"notes"}]',
  "resources/templates/list": '"resourceTemplates":[{"uriTemplate":"a://{id}{?q}","name":"one note"},{"uriTemplate":"a://{","name":"odd"}]',
}

test("a tool that may run as a task is called as one if that is chosen", async () => {
  const tools = ["required", "optional", "forbidden"].map((taskSupport) => ({ name: taskSupport, execution: { taskSupport }, inputSchema: { type: "object" } }))
  const send = (/** @type {{method: string}} */ { method }) => `{"jsonrpc":"2.0","id":1,"result":{${method === "tools/list" ? `"tools":${JSON.stringify(tools)}` : lists[method]}}}`
  const session = connect(engine, requests(send))
  const found = await offers(session, new AbortController().signal)
  await session.close()
  const [offer] = found.filter(({ mayBeTask }) => mayBeTask)
  assert.ok(offer)
  assert.deepEqual([found.filter(({ mayBeTask }) => mayBeTask).length, offer.name], [1, "optional"])
  assert.equal(argumentFields(engine, offer).params(), '{"name":"optional","arguments":{}}')
  assert.equal(argumentFields(engine, { ...offer, task: true }).params(), '{"name":"optional","arguments":{},"task":{}}')
})

test("what a server offers, with schemas as they came", async () => {
  const send = (/** @type {{method: string}} */ { method }) => `{"jsonrpc":"2.0","id":1,"result":{${lists[method]}}}`
  const session = connect(engine, requests(send))
  const found = await offers(session, new AbortController().signal)
  await session.close()
  const note = argumentFields(engine, /** @type {import("../offers.js").Offer} */ (found.at(-1)))
  for (const field of note.fields) note.enter(field, field.name === "id" ? "a/b" : "")
  assert.equal(note.params(), '{"uri":"a://a%2Fb"}')
  assert.deepEqual(found, [
    { method: "tools/call", name: "scale", title: "scale", description: "Scales.", schema: '{"type":"object","properties":{"by":{"type":"number","default":1.0}}}' },
    {
      method: "prompts/get",
      name: "review",
      title: "Review it",
      description: "",
      schema: '{"type":"object","properties":{"code":{"type":"string","title":"The code"},"in":{"type":"string"}},"required":["code"]}',
    },
    { method: "resources/read", name: "a://b", title: "notes", description: "", schema: "{}" },
    {
      method: "resources/read",
      name: "a://{id}{?q}",
      title: "one note",
      description: "",
      schema: '{"type":"object","properties":{"id":{"type":"string"},"q":{"type":"string"}},"required":["id"]}',
      template: true,
    },
  ])
})
