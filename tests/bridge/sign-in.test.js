// Clients of both eras on the TypeScript SDKs at a protected server on the official Go SDK, before oidc-provider: their
// own handlers of url elicitation open the bridge's page, and a person signs in there.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { Client as Modern, StreamableHTTPClientTransport as ModernHTTP } from "@modelcontextprotocol/client"
import { Client as Legacy } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyHTTP } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"

import { startAuthorizationServer } from "../signin/authorization-server.js"
import { assertNoSecrets } from "../signin/secrets.js"
import { startServer } from "../signin/servers.js"
import { bridge, parley, serve, until } from "./programs.js"

const state = mkdtempSync(join(tmpdir(), "bridge-sign-in-"))
after(() => rmSync(state, { recursive: true }))
process.env.DBUS_SESSION_BUS_ADDRESS = "unix:path=/none" // accounts have their key in a file

const capabilities = { elicitation: { form: {}, url: {} } }

/**
 * A person with a browser: fills in the forms of the bridge and of oidc-provider, and returns what each page said.
 *
 * @param {string} url @param {string} name
 */
async function browse(url, name) {
  /** @type {Map<string, Map<string, string>>} */
  const jars = new Map()
  let request = new Request(url)
  const pages = []
  while (pages.length < 30) {
    const at = new URL(request.url)
    const jar = jars.get(at.host) ?? new Map()
    jars.set(at.host, jar)
    request.headers.set("Cookie", [...jar].map(([key, value]) => `${key}=${value}`).join("; "))
    const response = await fetch(request, { redirect: "manual" })
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(key, value)
    }
    const text = await response.text()
    pages.push(text)
    const next = response.headers.get("Location")
    const form = /<form[^>]*method="post"[^>]*>/.exec(text)?.[0]
    if (next) request = new Request(new URL(next, at))
    else if (form) {
      const fields = new URLSearchParams()
      for (const [input] of text.matchAll(/<input[^>]*>/g)) {
        const [, key] = /name="([^"]*)"/.exec(input) ?? []
        const [, value] = /value="([^"]*)"/.exec(input) ?? []
        if (key) fields.set(key, value ?? (key === "login" ? name : "any word will do"))
      }
      const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll("&amp;", "&") ?? at.href
      request = new Request(new URL(action, at), { method: "POST", body: fields })
    } else return pages
  }
  throw new Error("signing in did not end")
}

/** @param {import("node:test").TestContext} t */
async function world(t) {
  process.env.XDG_STATE_HOME = mkdtempSync(join(state, "run-"))
  const authorization = await startAuthorizationServer()
  t.after(authorization.close)
  const server = await startServer(t, "gosdk", authorization)
  return { authorization, server, ...(await serve(t, bridge("--listen", ":0", server.url))) }
}

/**
 * Answers what is asked.
 *
 * @param {string[]} asked @param {(url: string) => void} open
 * @returns {(request: any) => any}
 */
const answer = (asked, open) => ({ params }) => {
  asked.push(params.mode === "url" ? "url" : params.message)
  if (params.mode === "url") open(params.url)
  return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { target: "staging" } }
}

/** @type {Record<string, (t: import("node:test").TestContext, url: string, asked: string[], open: (url: string) => void) => Promise<any>>} */
const clients = {
  async "2025-11-25"(t, url, asked, open) {
    const client = new Legacy({ name: "test", version: "1" }, { capabilities })
    client.setRequestHandler(ElicitRequestSchema, answer(asked, open))
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, () => void asked.push("complete"))
    await client.connect(new LegacyHTTP(new URL(url)))
    t.after(() => client.close())
    return client
  },
  async "2026-07-28"(t, url, asked, open) {
    const client = new Modern({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } })
    client.setRequestHandler("elicitation/create", answer(asked, open))
    await client.connect(new ModernHTTP(new URL(url)))
    t.after(() => client.close())
    return client
  },
}

for (const [era, connect] of Object.entries(clients)) {
  test(`${era}: a call signs in, steps up in the middle, and runs once`, async (t) => {
    const { authorization, server, url, log } = await world(t)
    /** @type {string[]} */
    const asked = []
    /** @type {Promise<string[]>[]} */
    const visits = []
    const client = await connect(t, url, asked, (page) => visits.push(browse(page, "alice")))
    const { content } = await client.callTool({ name: "deploy", arguments: {} })
    assert.equal(content[0].text.trim(), "deploy by alice: staging")
    assert.deepEqual(
      asked.filter((what) => what !== "complete"),
      ["url", "Where to?", "url"],
    )
    if (era === "2025-11-25") await until(() => asked.filter((what) => what === "complete").length === 2, "both pages are done")
    const pages = await Promise.all(visits)
    for (const page of pages) {
      assert.ok(page[0]?.includes(`<strong>${new URL(authorization.issuer).host}</strong>`), page[0])
      assert.match(page.at(-1) ?? "", /You are signed in[^]*You can close this window/)
    }
    assert.match(pages[1]?.[0] ?? "", /<code>deploy<\/code>/)
    const seen = await server.seen()
    assert.equal(seen.counts["deploy ran"], 1)
    assert.equal(seen.counts["deploy asked for target"], 1)
    assert.ok((await client.listTools()).tools.length > 0)
    const { secrets } = assertNoSecrets(authorization.ledger.secrets(), { folders: [state], texts: { log: log() } })
    assert.ok(secrets > 3)
  })
}

test("a client that cannot open pages is told what to run, and needs nothing more then", async (t) => {
  const { server, url } = await world(t)
  const connect = async () => {
    const client = new Legacy({ name: "test", version: "1" }, { capabilities: { elicitation: {} } })
    await client.connect(new LegacyHTTP(new URL(url)))
    t.after(() => client.close())
    return client
  }
  await assert.rejects(connect, new RegExp(`run {2}parley login ${server.url}`))
  const [program = "", ...args] = parley("login", server.url, "--browser", `${process.execPath} ${fileURLToPath(new URL("../signin/forms.js", import.meta.url))}`)
  await promisify(execFile)(program, args)
  const { content } = /** @type {any} */ (await (await connect()).callTool({ name: "look", arguments: {} }))
  assert.match(content[0].text, /^look by alice/)
})
