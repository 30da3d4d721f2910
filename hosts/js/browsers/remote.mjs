// A page whose policy forbids WebAssembly, with its calls driven by a server of the
// host in Node, over a WebSocket of the package ws: forms, a reload in the middle,
// connections cut at bad moments, strangers. Usage: node remote.mjs [chromium] [firefox]
import { once } from "node:events"

// @ts-expect-error: it comes without types
import { WebSocket, WebSocketServer } from "ws"

import { connect, fetchTransport } from "../dist/index.js"
import { load } from "../dist/node.js"
import { RemoteHost } from "../dist/remote/index.js"
import { contains, equal } from "../test/assert.js"
import { startGoServer } from "../test/go-server.js"
import { launch, missing } from "./launch.mjs"
import { startSite } from "./site.mjs"

/** @import { Page } from "playwright-core" */
/** @import { Browser } from "./launch.mjs" */

const skip = 77

const engine = await load()
const site = await startSite({ "/hosts/js/": new URL("../", import.meta.url) })
const mcp = await startGoServer()
const host = new RemoteHost()
/** How often the tool was called. */
let calls = 0
/** The page's connection, and what happens to it when it says something of a type. @type {{socket: any, cutAt?: string}} */
const line = { socket: undefined }
const wss = new WebSocketServer({ host: "127.0.0.1", port: 0, maxPayload: 4 << 20, verifyClient: (/** @type {{origin: string}} */ { origin }) => origin === site.origin })
await once(wss, "listening")
const server = `ws://127.0.0.1:${wss.address().port}`

wss.on("connection", (/** @type {any} */ socket) => {
  line.socket = socket
  const transport = fetchTransport(mcp.url, { fetch: (url, init) => (String(init?.body).includes('"tools/call"') && calls++, fetch(url, init)) })
  host.serve(cuttable(socket), { owner: "ann", server: "work items", session: ({ askers, watchers }) => connect(engine, transport, { askers, watchers }) })
})

/** A connection that is cut before it is heard what the page says. @param {any} socket */
function cuttable(socket) {
  return {
    send: (/** @type {string} */ text) => socket.send(text),
    close: (/** @type {number=} */ code, /** @type {string=} */ reason) => socket.close(code, reason),
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    addEventListener: (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
      socket.addEventListener(type, (/** @type {any} */ event) => {
        if (type !== "message" || !line.cutAt || JSON.parse(event.data).type !== line.cutAt) return listener(event)
        line.cutAt = undefined
        socket.terminate()
      }),
  }
}

const first = { resolution: "Duplicate" }
const second = { original_id: "4242", comment: "The same crash." }

const wanted = process.argv.slice(2)
try {
  for (const engine of wanted.length ? wanted : ["chromium", "firefox"]) await runIn(engine)
} finally {
  await host.close()
  wss.close()
  mcp.stop()
  site.stop()
}

/** @param {string} engine */
async function runIn(engine) {
  const programs = missing(engine)
  if (programs.length) {
    console.log(`${engine}: skipped: there is no ${programs.join(" and no ")} on the PATH: run hosts/js/browsers/setup.sh`)
    process.exitCode ||= skip
    return
  }
  const browser = await launch(engine)
  try {
    for (const [name, run] of Object.entries({ answered, loadedAgain, cutWhileAsking, cutWhileAnswering, cutWhileCalling, strangers })) {
      try {
        calls = 0
        await run(browser)
        console.log(`ok   ${engine} ${browser.version} without WebAssembly: ${name}`)
      } catch (error) {
        console.log(`FAIL ${engine} ${browser.version} without WebAssembly: ${name}: ${error instanceof Error ? error.stack : error}`)
        process.exitCode = 1
      }
    }
  } finally {
    await browser.close()
  }
}

/** @param {Browser} browser */
async function open(browser) {
  const page = /** @type {Page} */ (await browser.open(`${site.origin}/hosts/js/browsers/pages/remote.html?${new URLSearchParams({ csp: "none", server })}`))
  await page.waitForSelector("body[data-ready]", { state: "attached" })
  return page
}

/** @param {Page} page */
function begin(page) {
  return page.evaluate("void run(null)")
}

/** Fills in the form with this question. @param {Page} page @param {Record<string, string>} values */
async function fill(page, values) {
  for (const [name, value] of Object.entries(values)) await page.fill(`input[name=${name}]`, value)
  await page.click("button")
}

/** Answers what is left, and looks at the end. @param {Page} page @param {number} asked how many questions this page has had */
async function finish(page, asked) {
  await fill(page, second)
  await page.waitForSelector("body[data-result]", { state: "attached" })
  contains(await page.getAttribute("body", "data-result"), "4242")
  equal(await page.getAttribute("body", "data-asked"), String(asked), "questions put")
  equal(calls, 3, "calls of the tool")
  await page.close()
}

/** @param {Browser} browser */
async function answered(browser) {
  const page = await open(browser)
  contains(await page.getAttribute("body", "data-wasm"), /'wasm-unsafe-eval'.*@parley-mcp\/parley\/remote/)
  await begin(page)
  await fill(page, first)
  await finish(page, 2)
}

/** @param {Browser} browser */
async function loadedAgain(browser) {
  const page = await open(browser)
  await begin(page)
  await fill(page, first)
  await page.waitForSelector("input[name=original_id]")
  await page.reload()
  await finish(page, 1)
}

/** @param {Browser} browser */
async function cutWhileAsking(browser) {
  const page = await open(browser)
  await begin(page)
  await page.fill("input", "Dupli")
  line.socket.terminate()
  await once(wss, "connection")
  equal(await page.inputValue("input"), "Dupli", "what was typed")
  await fill(page, first)
  await finish(page, 2)
}

/** @param {Browser} browser */
async function cutWhileAnswering(browser) {
  const page = await open(browser)
  await begin(page)
  await page.waitForSelector("input")
  line.cutAt = "answer"
  await fill(page, first)
  await finish(page, 2)
}

/** @param {Browser} browser */
async function cutWhileCalling(browser) {
  const page = await open(browser)
  line.cutAt = "call"
  await begin(page)
  await fill(page, first)
  await finish(page, 2)
}

/** Pages of elsewhere, and what is no page. */
async function strangers() {
  const refused = new WebSocket(server, { origin: "https://evil.example" })
  await new Promise((closed) => refused.on("error", closed))
  for (const said of [`{"type":"call"}`, `{"type":"hello","version":1,"can":{},"tell":[],"owner":"bob"}`, "\0", "x".repeat(1 << 20)]) {
    const forged = new WebSocket(server, { origin: site.origin })
    await once(forged, "open")
    forged.send(said)
    const [code] = await once(forged, "close")
    equal(code, 1002, said.slice(0, 80))
  }
  equal(calls, 0)
}
