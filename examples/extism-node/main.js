// Calls a tool of an MCP server and asks what the server wants to know here. See README.md.
import { readFileSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

import createPlugin from "@extism/extism"

import { fill, notes } from "./form.js"
import { network } from "./network.js"

const usage = `Usage: node main.js URL TOOL [ARGUMENTS]     for example '{"location":"Oslo"}'
       node main.js URL --resume FILE        goes on with a call that was parked
At a question, /decline says no, /park keeps the call in parked.json and /stop gives it up.`

const [url, tool, extra] = process.argv.slice(2)
if (!url || !tool || (tool === "--resume" && !extra)) {
  console.error(usage)
  process.exit(2)
}

/** Text of the server, with what a terminal would obey made visible. */
const shown = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)

const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/** How a question ends by what was typed instead of an answer. */
const ends = { "/park": { type: "park" }, "/stop": { type: "cancel" }, "/decline": { type: "refuse", reason: "declined" } }

let atEnd = "/park"

/** Asks for one line. The input's end parks the call or, where that was impossible, gives it up. */
async function line(prompt) {
  process.stdout.write(prompt)
  const { done, value } = await typed.next()
  if (!done) return value.trim()
  const text = atEnd
  atEnd = "/stop"
  return text
}

const asks = (what, problem) => {
  console.log(`\n${new URL(url).host} ${what}`)
  if (problem) console.log(`That could not be sent: ${shown(problem)}`)
}

/** A form, a line for each field. */
async function elicit({ params, mode, problem }) {
  if (mode !== "form") return { type: "refuse", reason: "this program shows forms only" }
  const form = await read("form", params)
  asks(`asks: ${shown(JSON.parse(params).message)}`, problem)
  for (const note of notes(form.unchecked)) console.log(`  ${shown(note)}`)
  const ended = {}
  const entered = async (prompt) => {
    const text = await line(`  ${shown(prompt)}: `)
    if (!ends[text]) return text
    ended.by = text
    throw ended
  }
  try {
    const check = (request) => read("form_check", JSON.stringify(request))
    const content = await fill(form, check, entered, (text) => console.log(`  ${shown(text)}`))
    if (form.fields.length === 0) await entered("Enter agrees") // only consent is asked for
    return { type: "answer", raw: `{"action":"accept","content":${content}}` }
  } catch (error) {
    if (error !== ended) throw error
    return ended.by === "/decline" ? { type: "answer", raw: '{"action":"decline"}' } : ends[ended.by]
  }
}

/** Whoever sits here says what a model would. */
async function sample({ params, problem }) {
  asks("asks what a model would say to:", problem)
  for (const { role, content } of JSON.parse(params).messages) {
    console.log(`  ${shown(role)}: ${shown([content].flat().map((block) => block.text ?? "").join(" "))}`)
  }
  const text = await line("  Answer: ")
  return ends[text] ?? { type: "answer", raw: JSON.stringify({ role: "assistant", model: "a person", content: { type: "text", text } }) }
}

/** The folder this program runs in, if that is wanted. */
async function listRoots({ problem }) {
  asks("asks which folders it may know of.", problem)
  const text = await line(`  Enter tells it of ${process.cwd()}: `)
  return ends[text] ?? { type: "answer", raw: JSON.stringify({ roots: [{ uri: pathToFileURL(process.cwd()).href }] }) }
}

/** A callback of the plug-in: JSON in, JSON out, and the time with every answer. */
const callback = (f) => async (context, text) =>
  context.store(JSON.stringify({ ...(await f(context.read(text).json())), now: Date.now() }))

const { post, receive } = network(url)
const wasm = readFileSync(new URL("../../wasm/parley-extism.wasm", import.meta.url))
const load = () => createPlugin({ wasm: [{ data: wasm }] }, {
  functions: { "extism:host/user": {
    post: callback(post), receive: callback(receive), elicit: callback(elicit), sample: callback(sample), list_roots: callback(listRoots),
  } },
  runInWorker: typeof WebAssembly.Suspending !== "function", // a Node that cannot wait in WebAssembly
})
const plugin = await load()

/** Another instance, which reads forms, because the one that asks is busy until it has the answer. */
let reader

async function read(name, text) {
  reader ??= await load()
  return (await reader.call(name, text)).json()
}

/** Calls an export. */
async function ask(name, request) {
  const answer = (await plugin.call(name, JSON.stringify(request))).json()
  if (answer.error && !answer.type) throw new Error(answer.error.detail)
  return answer
}

let outcome
try {
  // What this program can answer; nothing else will be asked. The session could make any number of calls.
  await ask("session", { clientInfo: '{"name":"parley-extism-node","version":"1.0.0"}', can: { form: true, sampling: true, roots: true } })
  outcome = tool === "--resume"
    ? await ask("resume", { now: Date.now(), snapshot: readFileSync(extra, "utf8"), peer: url })
    : await ask("call", {
      now: Date.now(), method: "tools/call", params: `{"name":${JSON.stringify(tool)},"arguments":${extra ?? "{}"}}`, options: { peer: url },
    })
  await ask("close", { now: Date.now() })
} catch (error) {
  outcome = { type: "failed", detail: error.message }
}
await plugin.close()
await reader?.close()

if (outcome.type === "done") {
  for (const { text } of JSON.parse(outcome.result).content) console.log(`\n${shown(text)}`)
} else if (outcome.type !== "parked") {
  console.error(`\n${shown(outcome.detail)}`)
}
if (outcome.snapshot) {
  writeFileSync("parked.json", outcome.snapshot, { mode: 0o600 }) // it holds a secret
  console.log(`\nKept in parked.json. To go on: node main.js ${url} --resume parked.json`)
}
process.exit(outcome.type === "done" ? 0 : 1)
