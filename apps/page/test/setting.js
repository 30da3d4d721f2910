// What tests need: a browser for all of them and, for each, the page and servers
// to call.

import assert from "node:assert/strict"
import runTest, { after, afterEach, before } from "node:test"
import { fileURLToPath } from "node:url"

import { texts as kit } from "../../shared-js/german.js"
import { serve, startServer } from "../serve.mjs"
import { texts as own } from "../src/german.js"
import { startAuthorizationServer } from "./authorization-server.js"
import { launch } from "./browser.js"
import { startEarlier } from "./earlier-server.js"
import { startFailing } from "./failing-servers.js"
import { startJsServer } from "./js-server.js"
import { Person } from "./person.js"
import { startScripted } from "./scripted-server.js"

/** @import { Server } from "../serve.mjs" */
/** @import { Browser, Look } from "./browser.js" */

/** @typedef {Parameters<typeof startScripted>[1]} Script */

/** @typedef {Awaited<ReturnType<typeof startScripted>>} Scripted */

/** @typedef {(t: import("node:test").TestContext) => unknown} Use */

/** Where setup.sh builds tests/stories/go-server. */
const goServer = fileURLToPath(new URL(".built/go-server", import.meta.url))

/** @type {Browser} */
let browser

/** What ends with a test, the last first. @type {(() => unknown)[]} */
let ends = []

/**
 * The page's own servers stay until the end: a port that is used again would
 * be an origin that is, with all that an earlier test left there.
 *
 * @type {(() => void)[]}
 */
const pages = []

before(async () => {
  browser = await launch()
})

afterEach(async () => {
  const failed = await end()
  if (browser.gone()) return anew()
  assert.deepEqual(failed, [], "what could not be ended")
  assert.deepEqual(await browser.errors(), [], "what pages have thrown")
})

/** Ends what a test has begun. Returns what went wrong. */
async function end() {
  const all = ends.reverse()
  ends = []
  /** @type {unknown[]} */
  const failed = []
  for (const end of all) {
    try {
      await end()
    } catch (error) {
      failed.push(error)
    }
  }
  return failed
}

/** Puts a new browser in the place of one that is gone. */
async function anew() {
  await browser.close().catch(() => {})
  browser = await launch()
}

/**
 * A test of what a person does. If the browser ends in the middle of it, as
 * WebKitGTK 2.50 does now and then, it is done once more in a new one, and that
 * is printed.
 *
 * @param {string} name @param {import("node:test").TestOptions | Use} options @param {Use} [use]
 */
export function test(name, options, use = /** @type {Use} */ (options)) {
  void runTest(name, typeof options === "function" ? {} : options, async (t) => {
    try {
      await use(t)
    } catch (error) {
      if (!browser.gone()) throw error
      t.diagnostic(`once more: ${name}: ${error}`)
      await end()
      await anew()
      await use(t)
    }
  })
}

after(async () => {
  for (const close of pages) close()
  await browser.close()
})

// The runner ends by it what takes too long: what was started ends as well.
process.once("SIGTERM", () => process.exit(1))

/** What somebody may do, and what a server wants first. @typedef {(may: string[] | undefined, request: import("./scripted-server.js").Received) => import("./scripted-server.js").Challenge | undefined} Guards */

/** Calls are for who has signed in. @type {Guards} */
const calls = (may, { method }) => (may || method !== "tools/call" ? undefined : { status: 401, challenge: 'Bearer scope="read"' })

export const scene = {
  get browser() {
    return browser
  },

  /** Somebody at a page that may call the example server. @param {Look} [look] @param {string[]} [args] for the server */
  async withGoServer(look, args = []) {
    /** @type {Server[]} */
    const servers = []
    const origin = await page(servers)
    const server = await startServer(goServer, ["-addr", "127.0.0.1:0", "-origin", origin, ...args])
    ends.push(server.stop)
    servers.push({ label: "Desk", url: server.url })
    return { person: await somebody(origin, look), origin, server }
  },

  /** Somebody at a page that may call the example on the TypeScript SDK. `anew` ends it and starts another at the same address. */
  async withJsServer() {
    /** @type {Server[]} */
    const servers = []
    const origin = await page(servers)
    let server = await startJsServer(origin)
    ends.push(() => server.stop())
    servers.push({ label: "Desk", url: server.url })
    return {
      person: await somebody(origin),
      log: () => server.log(),
      async anew() {
        await server.stop()
        server = await startJsServer(origin, new URL(server.url).port)
      },
    }
  },

  /** Somebody at a page that may call a server of an earlier era. @param {Parameters<typeof startEarlier>[1]} [version] @param {Look} [look] */
  async withEarlier(version, look) {
    /** @type {Server[]} */
    const servers = []
    const origin = await page(servers)
    const server = await startEarlier(origin, version)
    ends.push(server.stop)
    servers.push({ label: "Desk", url: server.url })
    return { person: await somebody(origin, look), server }
  },

  /** Somebody at a page that may call a scripted server. @param {Script} script @param {Look} [look] */
  async withScript(script, look) {
    const { scripted, ...rest } = await withScripts([script], look)
    const [server] = /** @type {[Scripted]} */ (scripted)
    return { server, ...rest }
  },

  /**
   * Somebody at a page that may call a scripted server, where only who has
   * signed in at an authorization server may do what `guards` says.
   *
   * @param {Omit<Script, "guard" | "metadata"> & {guards?: Guards}} script @param {import("./authorization-server.js").Habits & {unknown?: boolean}} [habits] `unknown`: the page's server does not know of it
   * @param {Look} [look]
   */
  async withProtected({ guards = calls, ...script }, habits = {}, look) {
    const authorization = await startAuthorizationServer(habits)
    ends.push(authorization.stop)
    const guard = (/** @type {string | undefined} */ header, /** @type {import("./scripted-server.js").Received} */ request) => guards(authorization.may(header), request)
    const metadata = (/** @type {string} */ url) => ({ resource: url, authorization_servers: [authorization.origin], scopes_supported: ["read"] })
    const { scripted, ...rest } = await withScripts([{ ...script, guard, metadata }], look, [], habits.unknown ? [] : [authorization.origin, authorization.elsewhere])
    const [server] = /** @type {[Scripted]} */ (scripted)
    return { server, authorization, ...rest }
  },

  /** Somebody at a page that may call the protected server of tests/signin, which is on the TypeScript SDK, before oidc-provider. */
  async withProvider() {
    const { startAuthorizationServer } = await import("../../../tests/signin/authorization-server.js")
    const { startServer } = await import("../../../tests/signin/servers.js")
    /** @type {Server[]} */
    const servers = []
    /** @type {string[]} */
    const issuers = []
    const origin = await page(servers, issuers)
    // It lets no page register itself.
    const client = { client_id: "page", redirect_uris: [`${origin}/signed-in.html`, `${origin}/`], application_type: "native", token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"] }
    const authorization = await startAuthorizationServer({ offline: "asked", change: ({ clients }) => void /** @type {any} */ (clients).push(client) })
    ends.push(() => authorization.close())
    const server = await startServer({ after: (stop) => void ends.push(stop) }, "ts", authorization)
    issuers.push(authorization.issuer)
    servers.push({ label: "Desk", url: server.url, clientId: "page" })
    return { person: await somebody(origin), server, authorization }
  },

  /** The same with two servers, called First and Second. @param {Script} first @param {Script} second */
  async withTwo(first, second) {
    const { person, scripted } = await withScripts([first, second])
    const [server, other] = /** @type {[Scripted, Scripted]} */ (scripted)
    return { person, server, other }
  },

  /** Somebody at a page that may call a scripted server, called Desk, and all servers that fail. @param {Script} script */
  async withFailing(script) {
    const { failures, stop } = await startFailing()
    ends.push(stop)
    // The page's own server takes no URL that is none.
    const others = failures.filter(({ url }) => URL.canParse(url)).map(({ name, url }) => ({ label: name, url }))
    const { person } = await withScripts([script], undefined, others)
    return { person, failures }
  },
}

/** @param {Script[]} scripts @param {Look} [look] @param {Server[]} [others] that the page may call @param {string[]} [authorizationServers] */
async function withScripts(scripts, look, others = [], authorizationServers = []) {
  /** @type {Server[]} */
  const servers = []
  const origin = await page(servers, authorizationServers)
  const scripted = await Promise.all(scripts.map((script) => startScripted(origin, script)))
  ends.push(() => scripted.forEach((server) => server.stop()))
  const labels = scripts.length === 1 ? ["Desk"] : ["First", "Second"]
  servers.push(...scripted.map(({ url }, i) => ({ label: labels[i] ?? "", url })), ...others)
  return { person: await somebody(origin, look), origin, scripted }
}

/** A page server that knows of the servers in the list. @param {Server[]} servers @param {string[]} [authorizationServers] */
async function page(servers, authorizationServers) {
  const { origin, close } = await serve({ servers, authorizationServers })
  pages.push(close)
  return origin
}

/** @param {string} origin @param {Look} [look] */
async function somebody(origin, look) {
  const profile = await browser.newProfile(look)
  ends.push(() => profile.close())
  return Person.at(profile, origin, look?.locale?.startsWith("de") ? { ...kit, ...own } : undefined)
}
