// The official client of the TypeScript SDK, version 1, with three calls of one session open at once. It answers each
// question with the name of the call whose stream the question came on, in the reverse order of the questions. Prints
// what each call came to, and every question with its stream.
import { parseArgs } from "node:util"

import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

import { patience } from "../js/play.js"

const names = ["Ada", "Bob", "Cy"]
const { values, positionals } = parseArgs({ options: { "no-get": { type: "boolean", default: false } }, allowPositionals: true })

/** @type {{method: string, message: string, on: string}[]} */
const asked = []
/** Whose stream each question came on, by the question's id. @type {Map<unknown, string>} */
const streams = new Map()
/** The first questions of all calls, the second ones and so on, held until each call has its own. @type {(() => void)[][]} */
const waves = []
/** The wave of a question, by its id. @type {Map<unknown, number>} */
const waveOf = new Map()
/** @type {(() => void) | undefined} */
let opened
const get = new Promise((resolve) => (opened = () => resolve(undefined)))

/** Reads a stream before the SDK does. @param {Response} response @param {string} on */
function watched(response, on) {
  const decoder = new TextDecoder()
  let text = ""
  const through = new TransformStream({
    async transform(chunk, controller) {
      const lines = (text += decoder.decode(chunk, { stream: true })).split(/\r?\n/)
      text = lines.pop() ?? ""
      for (const line of lines) if (line.startsWith("data: {")) await arrived(JSON.parse(line.slice(6)), on)
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(through), response)
}

/** @param {any} message @param {string} on */
async function arrived({ id, method, params }, on) {
  if (id === undefined || method === undefined) return
  const wave = asked.filter((one) => one.on === on).length
  streams.set(id, on)
  waveOf.set(id, wave)
  asked.push({ method, message: params?.message ?? params?.messages?.[0].content.text ?? "", on })
  if (on === "GET") return // there the next question comes behind this one
  await new Promise((resolve) => {
    const held = (waves[wave] ??= [])
    held.push(() => resolve(undefined))
    if (held.length === names.length) held.pop()?.()
  })
}

/** @param {string | URL} url @param {RequestInit} [init] */
async function fetching(url, init) {
  if (init?.method === "GET") {
    if (values["no-get"]) return new Response(null, { status: 405 })
    const response = await fetch(url, init)
    opened?.()
    return watched(response, "GET")
  }
  const { id, method, params } = init?.method === "POST" ? JSON.parse(String(init.body)) : { id: "", method: "none" }
  const response = await fetch(url, init)
  if (method === undefined) waves[waveOf.get(id) ?? 0]?.pop()?.() // that was an answer
  return method === "tools/call" ? watched(response, params.arguments.who) : response
}

const client = new Client({ name: "crossing-ts-legacy", version: "1" }, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } })
/** @param {{requestId: unknown}} extra */
const on = ({ requestId }) => streams.get(requestId) ?? ""
client.setRequestHandler(ElicitRequestSchema, ({ params }, extra) => ({ action: "accept", ...(params.mode !== "url" && { content: { a: on(extra) } }) }))
client.setRequestHandler(CreateMessageRequestSchema, (_, extra) => ({ role: "assistant", model: "none", content: { type: "text", text: on(extra) } }))
client.setRequestHandler(ListRootsRequestSchema, (_, extra) => ({ roots: [{ uri: `file:///${on(extra)}` }] }))
await client.connect(new StreamableHTTPClientTransport(new URL(positionals[0] ?? ""), { fetch: fetching }), { timeout: patience })
if (!values["no-get"]) await get
const calls = names.map(async (who) => {
  const { content } = /** @type {any} */ (await client.callTool({ name: "each", arguments: { who } }, undefined, { timeout: patience }))
  return [who, content[0].text]
})
const texts = Object.fromEntries(await Promise.all(calls))
await client.close()
process.stdout.write(JSON.stringify({ texts, asked }), () => process.exit())
