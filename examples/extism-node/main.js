// Calls a tool of an MCP server and asks what the server wants to know here. See README.md.
import { readFileSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

import createPlugin from "@extism/extism"

const usage = `Usage: node main.js URL TOOL [ARGUMENTS]     for example '{"location":"Oslo"}'
       node main.js URL --resume FILE        goes on with a call that was parked
At a question, /decline says no and /park keeps the call in parked.json.`

const [url, tool, extra] = process.argv.slice(2)
if (!url || !tool || (tool === "--resume" && !extra)) {
  console.error(usage)
  process.exit(2)
}

/** Text of the server, with what a terminal would obey made visible. */
const shown = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)

const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/** Asks for one line. The input's end parks the call. */
async function line(prompt) {
  process.stdout.write(prompt)
  const { done, value } = await typed.next()
  return done ? "/park" : value.trim()
}

/** The text of what was typed as a value of the schema; the engine checks it. */
function valueOf(schema, text) {
  if (schema.type === "boolean") return String(/^(y|yes|true)$/i.test(text))
  if (schema.type === "array") return JSON.stringify(text.split(",").map((part) => part.trim()))
  if (schema.type !== "string" && /^-?[0-9.eE+-]+$/.test(text)) return text
  return JSON.stringify(text)
}

const choices = (schema) => schema.enum ?? (schema.oneOf ?? schema.items?.anyOf)?.map((one) => one.const) ?? schema.items?.enum

/** One leg: what goes on the wire, as the plug-in made it. */
async function send({ body, headers, id, at = 0, until }) {
  await sleep(Math.max(0, at - Date.now()))
  const signal = until ? AbortSignal.timeout(Math.max(1, until - Date.now())) : undefined
  try {
    const response = await fetch(url, {
      method: "POST", body, signal, redirect: "error",
      headers: [...headers, ["Content-Type", "application/json"], ["Accept", "application/json, text/event-stream"]],
    })
    const answer = messagesOf(response, await response.text()).find((message) => JSON.parse(message).id === id)
    return answer ? { type: "response", body: answer } : { type: "lost", reason: `HTTP status ${response.status}` }
  } catch (error) {
    return { type: "lost", reason: error.message, unsent: error.cause?.code === "ECONNREFUSED" }
  }
}

/** The JSON-RPC messages of a response, as text: an event stream has several. */
function messagesOf(response, text) {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [text]
  const dataOf = (event) => event.split(/\r?\n/).filter((l) => l.startsWith("data:")).map((l) => l.slice(5).trim()).join("\n")
  return text.split(/\r?\n\r?\n/).map(dataOf).filter((data) => data !== "")
}

/** A form, a line for each field. */
async function elicit({ params, mode, problem }) {
  const { message, requestedSchema } = JSON.parse(params)
  if (mode !== "form") return { type: "refuse", reason: "this program shows forms only" }
  console.log(`\n${new URL(url).host} asks: ${shown(message)}`)
  if (problem) console.log(`That could not be sent: ${shown(problem)}`)
  const content = []
  const fields = Object.entries(requestedSchema.properties)
  if (fields.length === 0) fields.push(["Enter agrees", null]) // only consent is asked for
  for (const [name, schema] of fields) {
    const among = schema && choices(schema)
    const answer = await line(`  ${shown(schema?.title ?? name)}${among ? ` (${among.map(shown).join(", ")})` : ""}: `)
    if (answer === "/park") return { type: "park" }
    if (answer === "/decline") return { type: "answer", raw: '{"action":"decline"}' }
    if (schema && answer !== "") content.push(`${JSON.stringify(name)}:${valueOf(schema, answer)}`)
  }
  return { type: "answer", raw: `{"action":"accept","content":{${content.join()}}}`, fill: true }
}

// Declared below is what this program can answer; nothing else will be asked.
const never = async () => ({ type: "refuse", reason: "this program cannot" })

/** A callback of the plug-in: JSON in, JSON out, and the time with every answer. */
const callback = (f) => async (context, text) =>
  context.store(JSON.stringify({ ...(await f(context.read(text).json())), now: Date.now() }))

const wasm = readFileSync(new URL("../../wasm/parley-extism.wasm", import.meta.url))
const plugin = await createPlugin({ wasm: [{ data: wasm }] }, {
  functions: { "extism:host/user": { send: callback(send), elicit: callback(elicit), sample: callback(never), list_roots: callback(never) } },
  runInWorker: typeof WebAssembly.Suspending !== "function", // a Node that cannot wait in WebAssembly
})

const request = { now: Date.now(), clientInfo: '{"name":"parley-extism-node","version":"1.0.0"}' }
const output = tool === "--resume"
  ? await plugin.call("resume", JSON.stringify({ ...request, snapshot: readFileSync(extra, "utf8"), peer: url }))
  : await plugin.call("call", JSON.stringify({
    ...request, method: "tools/call", params: `{"name":${JSON.stringify(tool)},"arguments":${extra ?? "{}"}}`,
    options: { can: { form: true }, peer: url },
  }))
await plugin.close()

const outcome = output.json()
if (outcome.type === "done") {
  for (const { text } of JSON.parse(outcome.result).content) console.log(`\n${shown(text)}`)
} else if (outcome.type !== "parked") {
  console.error(`\n${shown(outcome.detail ?? outcome.error.detail)}`)
}
if (outcome.snapshot) {
  writeFileSync("parked.json", outcome.snapshot, { mode: 0o600 }) // it holds a secret
  console.log(`\nKept in parked.json. To go on: node main.js ${url} --resume parked.json`)
}
process.exit(outcome.type === "done" ? 0 : 1)
