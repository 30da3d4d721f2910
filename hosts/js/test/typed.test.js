// Typed calls beside the official SDK's own client, at its own server: both read
// the same fields.
import test from "node:test"
import { inspect } from "node:util"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createMcpHandler, Server } from "@modelcontextprotocol/server"

import { connect, Failure, fetchTransport, load, PARK, requests } from "../dist/node.js"
import { contains, equal, ok, thrown } from "./assert.js"

/** @import { CallToolResult, GetPromptResult, Prompt, ReadResourceResult, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client" */

const icons = [{ src: "https://example.com/i.png", mimeType: "image/png", sizes: ["48x48"], theme: /** @type {const} */ ("dark") }]
const annotations = { audience: [/** @type {const} */ ("user")], priority: 0.5, lastModified: "2026-07-28T00:00:00Z" }
const _meta = { "org/x": { n: 1 } }
const resource = { uri: "file:///a", name: "a", title: "A", description: "the first", mimeType: "text/plain", size: 5, icons, annotations, _meta }

/** @type {CallToolResult} */
const called = {
  content: [
    { type: "text", text: "hello", annotations, _meta },
    { type: "image", data: "AA==", mimeType: "image/png" },
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "hello" } },
    { type: "resource_link", ...resource },
  ],
  structuredContent: { n: 1.5, list: [1, "2", null] },
  isError: true,
  _meta,
}
/** @type {GetPromptResult} */
const got = { description: "a prompt", messages: [{ role: "assistant", content: { type: "text", text: "hello" } }], _meta }
/** @type {ReadResourceResult} */
const contents = { contents: [{ uri: "file:///a", mimeType: "text/plain", text: "hello", _meta }, { uri: "file:///b", blob: "AA==" }] }

/** @type {Tool[]} */
const tools = [
  { name: "a", title: "A", description: "the first", icons, inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, outputSchema: { type: "object" }, annotations: { title: "T", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }, _meta },
  { name: "b", inputSchema: { type: "object" } },
  { name: "c", inputSchema: { type: "object" } },
]
/** @type {Prompt[]} */
const prompts = [{ name: "p", title: "P", description: "a prompt", icons, arguments: [{ name: "x", description: "what", required: true }], _meta }]
/** @type {Resource[]} */
const resources = [resource]
/** @type {ResourceTemplateType[]} */
const resourceTemplates = [{ uriTemplate: "file:///{path}", name: "files", title: "F", description: "all", mimeType: "text/plain", icons, annotations, _meta }]

/** A server of the official SDK whose list of tools has several pages, and its URL. @param {object} capabilities */
function serve(capabilities) {
  const { fetch } = createMcpHandler(() => {
    const server = new Server({ name: "s", version: "1" }, { capabilities })
    if ("completions" in capabilities) {
      server.setRequestHandler("completion/complete", ({ params: { ref, argument, context } }) => ({
        completion: { values: [ref.type, argument.name, argument.value + "…", context?.arguments?.["a"] ?? "none"], hasMore: true },
      }))
    }
    if (!("tools" in capabilities)) return server
    server.setRequestHandler("tools/list", ({ params }) => {
      const from = Number(params?.cursor ?? 0)
      return { tools: tools.slice(from, from + 1), ...(from + 1 < tools.length && { nextCursor: `${from + 1}` }) }
    })
    server.setRequestHandler("tools/call", () => called)
    server.setRequestHandler("prompts/list", () => ({ prompts }))
    server.setRequestHandler("prompts/get", () => got)
    server.setRequestHandler("resources/list", () => ({ resources }))
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }))
    server.setRequestHandler("resources/read", () => contents)
    return server
  })
  return (/** @type {string | URL} */ url, /** @type {RequestInit} */ init) => fetch(new Request(url, init))
}

const engine = await load()
const url = "http://localhost/mcp"
const clientInfo = { name: "parley-test", version: "0" }

/** @template T @param {AsyncIterable<T>} list */
async function all(list) {
  const items = []
  for await (const item of list) items.push(item)
  return items
}

test("the fields are those that the official client reads", async (t) => {
  const fetch = serve({ tools: {}, prompts: {}, resources: {} })
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: /** @type {any} */ (fetch) }))
  const session = connect(engine, fetchTransport(url, { fetch }), { clientInfo })
  t.after(() => Promise.all([client.close(), session.close()]))

  await t.test("of a tool's result", async () => equal(await session.callTool({ name: "b", arguments: {} }), await client.callTool({ name: "b", arguments: {} })))
  await t.test("of a prompt", async () => equal(await session.getPrompt({ name: "p", arguments: { x: "1" } }), await client.getPrompt({ name: "p", arguments: { x: "1" } })))
  await t.test("of a resource", async () => equal(await session.readResource({ uri: "file:///a" }), await client.readResource({ uri: "file:///a" })))

  // The client fetches one page, or all of them; the items are what counts.
  await t.test("of tools", async () => equal(await all(session.tools()), (await client.listTools()).tools))
  await t.test("of prompts", async () => equal(await all(session.prompts()), (await client.listPrompts()).prompts))
  await t.test("of resources", async () => equal(await all(session.resources()), (await client.listResources()).resources))
  await t.test("of resource templates", async () => equal(await all(session.resourceTemplates()), (await client.listResourceTemplates()).resourceTemplates))
  equal((await all(session.tools())).length, tools.length, "tools")
})

test("a server completes what somebody types", async (t) => {
  const session = connect(engine, fetchTransport(url, { fetch: serve({ prompts: {}, resources: {}, completions: {} }) }), { clientInfo })
  t.after(() => session.close())
  equal(await session.complete({ prompt: "p", argument: "x", value: "py" }), { values: ["ref/prompt", "x", "py…", "none"], hasMore: true })
  equal((await session.complete({ template: "file:///{a}/{b}", argument: "b", value: "", context: { a: "A" } })).values, ["ref/resource", "b", "…", "A"])
  const without = connect(engine, fetchTransport(url, { fetch: serve({}) }), { clientInfo })
  t.after(() => without.close())
  equal(await without.complete({ prompt: "p", argument: "x", value: "" }), { values: [], hasMore: false })
})

test("a server without tools has none, and a tool that it does not have is a Failure", async (t) => {
  const session = connect(engine, fetchTransport(url, { fetch: serve({}) }), { clientInfo })
  t.after(() => session.close())
  equal(await all(session.tools()), [])
  const failure = await thrown(() => session.callTool({ name: "t" }), "a tool that is not there")
  ok(failure instanceof Failure, "a Failure")
  contains(failure.message, "JSON-RPC error -32601: the server says")
})

test("a Failure that is printed has no secret in it", async (t) => {
  const send = () => '{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"secret","inputRequests":{"q":{"method":"roots/list"}}}}'
  const session = connect(engine, requests(send), { askers: { listRoots: () => PARK } })
  t.after(() => session.close())
  const failure = await thrown(() => session.callTool({ name: "t" }), "a call that is parked")
  contains(failure.snapshot, "secret")
  ok(!inspect(failure, { depth: 9 }).includes("secret"), "printed")
})

test("a typed result is what the official SDK's types say", async (t) => {
  const session = connect(engine, fetchTransport(url, { fetch: serve({ tools: {}, prompts: {}, resources: {} }) }), { clientInfo })
  t.after(() => session.close())
  // The compiler checks these.
  /** @type {CallToolResult} */
  const result = await session.callTool({ name: "b" })
  /** @type {GetPromptResult} */
  const prompt = await session.getPrompt({ name: "p" })
  /** @type {ReadResourceResult} */
  const read = await session.readResource({ uri: "file:///a" })
  /** @type {Tool[]} */
  const listed = []
  for await (const tool of session.tools()) listed.push(tool)
  equal([result.content.length, prompt.messages.length, read.contents.length, listed.length], [5, 1, 2, 3])
})
