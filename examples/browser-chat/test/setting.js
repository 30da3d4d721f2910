// What a file of tests needs: a browser, the page, and servers to call.

import assert from "node:assert/strict"
import { after, before } from "node:test"
import { fileURLToPath } from "node:url"

import { serve, startServer } from "../serve.mjs"
import { launch } from "./browser.js"
import { Person } from "./person.js"
import { startScripted } from "./scripted-server.js"

/** @import { Server } from "../serve.mjs" */
/** @import { Browser, Look } from "./browser.js" */

/** @typedef {Parameters<typeof startScripted>[1]} Script */

/** @typedef {Awaited<ReturnType<typeof startScripted>>} Scripted */

/** Where setup.sh builds examples/go-server. */
const goServer = fileURLToPath(new URL(".built/go-server", import.meta.url))

/** Sets the scene, for all tests of a file. */
export function setting() {
  /** @type {Browser} */
  let browser
  /** @type {(() => unknown)[]} */
  const ends = []
  before(async () => {
    browser = await launch()
  })
  after(async () => {
    await Promise.all(ends.map((end) => end()))
    await browser.close()
    assert.deepEqual(browser.errors, [], "what pages have thrown")
  })

  /** A page server that knows of the servers in the list. @param {Server[]} servers */
  async function page(servers) {
    const { origin, close } = await serve({ servers })
    ends.push(close)
    return origin
  }

  return {
    get browser() {
      return browser
    },

    /** Somebody at a page that may call the example server. @param {Look} [look] */
    async withGoServer(look) {
      /** @type {Server[]} */
      const servers = []
      const origin = await page(servers)
      const server = await startServer(goServer, ["-addr", "127.0.0.1:0", "-origin", origin])
      ends.push(server.stop)
      servers.push({ label: "Desk", url: server.url })
      const profile = await browser.newProfile(look)
      ends.push(() => profile.close())
      return { person: await Person.at(profile, origin), profile, origin, server }
    },

    /** Somebody at a page that may call a scripted server. @param {Script} script @param {Look} [look] */
    async withScript(script, look) {
      const { person, scripted, ...rest } = await withScripts([script], look)
      const [server] = /** @type {[Scripted]} */ (scripted)
      return { person, server, ...rest }
    },

    /** The same with two servers, called First and Second. @param {Script} first @param {Script} second */
    async withTwo(first, second) {
      const { person, scripted } = await withScripts([first, second])
      const [server, other] = /** @type {[Scripted, Scripted]} */ (scripted)
      return { person, server, other }
    },
  }

  /** @param {Script[]} scripts @param {Look} [look] */
  async function withScripts(scripts, look) {
    /** @type {Server[]} */
    const servers = []
    const origin = await page(servers)
    const scripted = await Promise.all(scripts.map((script) => startScripted(origin, script)))
    ends.push(() => scripted.forEach((server) => server.stop()))
    const labels = scripts.length === 1 ? ["Desk"] : ["First", "Second"]
    servers.push(...scripted.map(({ url }, i) => ({ label: labels[i] ?? "", url })))
    const profile = await browser.newProfile(look)
    ends.push(() => profile.close())
    return { person: await Person.at(profile, origin), profile, origin, scripted }
  }
}
