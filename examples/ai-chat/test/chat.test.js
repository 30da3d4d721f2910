// The chat as a person uses it, in Chromium, at a server where only who has signed in may call tools.
import assert from "node:assert/strict"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname } from "node:path"
import { Readable } from "node:stream"
import test from "node:test"

import { startAuthorizationServer } from "../../../apps/page/test/authorization-server.js"
import { launch } from "../../../apps/page/test/browser.js"
import { patiently } from "../../../apps/page/test/patience.js"
import { startDesk } from "../../../tests/chat-hosts/desk.js"

/** @import { AddressInfo } from "node:net" */
/** @import { IncomingMessage, RequestListener, ServerResponse } from "node:http" */
/** @import { TestContext } from "node:test" */

/** Serves until the test ends. @param {TestContext} t @param {RequestListener} listener */
async function serve(t, listener) {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => (server.close(), server.closeAllConnections()))
  return `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`
}

const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" })

/** The built chat. @type {RequestListener} */
async function site(request, response) {
  const path = new URL(request.url ?? "", "http://site").pathname
  const file = path === "/" ? "/index.html" : path
  const body = await readFile(new URL(`../dist${file}`, import.meta.url)).catch(() => undefined)
  response.writeHead(body ? 200 : 404, { "Content-Type": types[extname(file)] ?? "text/plain" }).end(body)
}

test("a question outlives the page, the person signs in, and each tool is called once", async (t) => {
  const origin = await serve(t, site)
  const desk = await startDesk(origin)
  t.after(desk.stop)
  const authorization = await startAuthorizationServer()
  t.after(authorization.stop)
  /** @type {RequestListener} */
  const guard = async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", origin).setHeader("Access-Control-Expose-Headers", "WWW-Authenticate")
    if (request.url === "/.well-known/oauth-protected-resource/mcp") return void response.end(JSON.stringify({ resource: `${guarded}/mcp`, authorization_servers: [authorization.origin], scopes_supported: ["work"] }))
    const body = await new Response(/** @type {any} */ (Readable.toWeb(request))).text()
    if (body.includes('"tools/call"') && !authorization.may(request.headers.authorization)) return void response.writeHead(401, { "WWW-Authenticate": 'Bearer scope="work"' }).end()
    const { host: _, connection: __, "content-length": ___, ...headers } = /** @type {Record<string, string>} */ (request.headers)
    const answer = await fetch(desk.url, { method: request.method, headers, ...(body && { body }) })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }
  const guarded = await serve(t, guard)
  const browser = await launch("chromium")
  t.after(() => browser.close())
  const profile = await browser.newProfile()
  const chat = `${origin}/?server=${guarded}/mcp`
  let tab = await profile.newTab()
  await tab.goto(chat)

  /** @param {import("../../../apps/page/test/browser.js").Tab} tab @param {string} text */
  const sees = (tab, text) => patiently(async () => assert.ok((await tab.evaluate(() => document.body.innerText, undefined)).includes(text), text))
  await sees(tab, "Say")
  await tab.fill("[name=said]", "How is Oslo? And resolve 4711.")
  await tab.press("Enter")

  await sees(tab, "Sign in to ")
  const next = profile.nextTab()
  await tab.click("#sign-in")
  const window = await next
  await sees(window, "Allow")
  await window.click("button")

  await sees(tab, "How was work item 4711 resolved?")
  assert.deepEqual(await desk.counts(), { get_weather: 1 })
  await tab.reload() // with the form open
  await sees(tab, "How was work item 4711 resolved?")
  const value = await tab.evaluate(() => [...document.querySelectorAll("dialog option")].find(({ textContent }) => textContent === "Duplicate")?.getAttribute("value"), undefined)
  await tab.select("dialog select", value ?? "Duplicate")
  await tab.click("dialog [type=submit]")

  await sees(tab, "Which work item does 4711 duplicate?")
  await tab.close()
  tab = await profile.newTab()
  await tab.goto(chat)
  await sees(tab, "Which work item does 4711 duplicate?")
  await tab.fill("dialog input", "42")
  await tab.click("dialog [type=submit]")

  await sees(tab, "assistant: 18 °C in Oslo Work item 4711 is a duplicate of 42.")
  assert.deepEqual(await desk.counts(), { get_weather: 1, update_work_item: 1 })
  assert.deepEqual(await browser.errors(), [])
  const kept = await tab.evaluate(() => localStorage.getItem("chat") ?? "", undefined)
  assert.ok(kept.includes("duplicate of 42") && !authorization.secrets.some((secret) => kept.includes(secret)), "the chat holds no secret")
})

test("it is 40 lines", async () => {
  assert.ok((await readFile(new URL("../chat.js", import.meta.url), "utf8")).trim().split("\n").length <= 40)
})
