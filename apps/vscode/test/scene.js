// What the tests share: one editor with the extension in it, one person who may
// have several windows, and the servers of their settings.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { newKey } from "@parley-mcp/parley/codec"

import { startAuthorizationServer } from "../../../tests/signin/authorization-server.js"
import * as signin from "../../../tests/signin/servers.js"
import { startServer } from "../../page/serve.mjs"
import { patiently } from "../../page/test/patience.js"
import { startScripted } from "../../page/test/scripted-server.js"
import { launchChromium } from "./chromium.js"
import { startEditor } from "./code-server.js"
import { Person } from "./workbench.js"

/** @import { Browser, BrowserContext, Page } from "playwright-core" */
/** @import { AuthorizationServer } from "../../../tests/signin/authorization-server.js" */
/** @import { Seen } from "../../../tests/signin/servers.js" */
/** @import { Editor } from "./code-server.js" */

/** @typedef {Parameters<typeof startScripted>[1]} Script */
/** @typedef {Awaited<ReturnType<typeof startScripted>>} Scripted */

/** Where setup.sh builds tests/stories/go-server. */
const goServer = fileURLToPath(new URL(".built/go-server", import.meta.url))

/** Models that need no network, beside the extension. */
const models = fileURLToPath(new URL("models", import.meta.url))

/** The server on the official SDK of the era before, which asks by requests of its own. */
const earlier = fileURLToPath(new URL("../../../hosts/js/test/servers/earlier.js", import.meta.url))

/** One that asks for folders before the first call. */
const folders = fileURLToPath(new URL("../../../hosts/js/test/servers/folders.js", import.meta.url))

/** Of a window. */
const size = { width: 1000, height: 640 }

/** How long an attempt at a test may take, in milliseconds. */
const limit = 600_000

export class Scene {
  /** @type {(() => unknown)[]} */
  #ends = []
  /** Of the person's settings. @type {{label: string}[]} */
  #servers = []
  #settings = {}
  /** @type {Map<string, Scripted>} */
  #scripted = new Map()
  #keys
  #users
  #windows = 0
  /** @type {Person[]} */
  #idle = []

  /** @param {Editor} editor @param {Browser} browser @param {BrowserContext} context @param {AuthorizationServer} authorization */
  constructor(editor, browser, context, authorization) {
    this.authorization = authorization
    this.near = authorization
    this.vault = { host: "", seen: async () => /** @type {Seen} */ ({ counts: {}, users: [], tokens: 0 }) }
    this.editor = editor
    this.browser = browser
    this.context = context
    this.frail = { url: "", address: "127.0.0.1:0", stop() {} }
    const folder = editor.newFolder("keys")
    this.#keys = join(folder, "server.key")
    this.#users = join(folder, "users")
  }

  /**
   * Sets the scene. Desk is the example server; Frail is one, too, and can be
   * stopped and started; Locked wants a token; Vault and Near want somebody to sign in; Program is one that VS Code starts, and so is Files, which asks for folders at once.
   *
   * @param {Record<string, Script>} scripts of further servers, by their labels
   */
  static async set(scripts) {
    const [editor, browser, authorization] = await Promise.all([

      startEditor({ extensions: [fileURLToPath(new URL("..", import.meta.url)), models] }),
      launchChromium(),
      // VS Code as a server takes the ports of 127.0.0.1 for what runs beside it, and gives them paths of its own.
      startAuthorizationServer({ host: "127.0.0.2", offline: "asked" }),
    ])
    const scene = new Scene(editor, browser, await browser.newContext({ viewport: size }), authorization)
    scene.#ends.push(() => browser.close(), editor.stop, authorization.close)
    await scene.#startVault()
    scene.#add({ label: "Program", command: process.execPath, args: [earlier] })
    scene.#add({ label: "Files", command: process.execPath, args: [folders] })
    scene.#add({ label: "Desk", url: (await scene.#startGoServer("127.0.0.1:0")).url })
    writeFileSync(scene.#keys, newKey(), { mode: 0o600 })
    await scene.startFrail()
    scene.#add({ label: "Frail", url: scene.frail.url })
    writeFileSync(scene.#users, "ann 0123456789abcdef0123456789abcdef\n", { mode: 0o600 })
    scene.#add({ label: "Locked", url: (await scene.#startGoServer("127.0.0.1:0", "-users", scene.#users)).url })
    for (const [label, script] of Object.entries(scripts)) {
      const server = await startScripted(editor.origin, script)
      scene.#ends.push(server.stop)
      scene.#scripted.set(label, server)
      scene.#add({ label, url: server.url })
    }
    scene.set({})
    // The first window makes the key, alone: in a browser others that are open do not see it.
    const first = await scene.window()
    await first.extensionRuns()
    scene.#idle.push(first)
    return scene
  }

  /** A scripted server, whose script begins anew. @param {string} label */
  scripted(label) {
    const server = /** @type {Scripted} */ (this.#scripted.get(label))
    server.received.length = 0
    return server
  }

  /** Starts Frail, where it was before: the keys are the same, so it knows what it has asked. */
  async startFrail() {
    this.frail = await this.#startGoServer(this.frail.address, "-key-file", this.#keys)
  }

  /** A server that lets nobody in who has not signed in. */
  async #startVault() {
    const t = { after: (/** @type {() => unknown} */ stop) => this.#ends.unshift(stop) }
    const { url, seen } = await signin.startServer(t, "ts", this.authorization)
    this.vault = { host: new URL(url).host, seen }
    this.#add({ label: "Vault", url })
    // VS Code lets its worker reach the ports of 127.0.0.1, and of no other address of this machine.
    this.near = await startAuthorizationServer({ registersPages: true })
    this.#ends.push(this.near.close)
    this.#add({ label: "Near", url: (await signin.startServer(t, "ts", this.near)).url })
  }

  /** Nobody is signed in at the authorization server. */
  async forgetsEverybody() {
    this.authorization.reset()
    await this.context.clearCookies({ domain: "127.0.0.2" })
  }

  /** Does what the authorization server wants, until it has sent the browser back. @param {Page} page */
  async consents(page) {
    for (;;) {
      const asked = await page.evaluate(() => document.querySelector('input[name="prompt"]')?.getAttribute("value"))
      if (!asked) break
      if (asked === "login") {
        await page.fill('input[name="login"]', "alice")
        await page.fill('input[name="password"]', "any word will do")
      }
      await Promise.all([page.waitForNavigation(), page.click("button[type=submit]")])
    }
    await page.getByText("You can close this page now").waitFor()
    await page.close()
  }

  /** The example server. @param {string} address host and port @param {...string} args */
  async #startGoServer(address, ...args) {
    // An address of before may be in use for a moment.
    const { url, stop } = await patiently(() => startServer(goServer, ["-addr", address, "-origin", this.editor.origin, "-step", "5s", ...args]))
    this.#ends.push(stop)
    return { url, address: new URL(url).host, stop }
  }

  /** Puts a server into the person's settings. @param {{label: string, url?: string, command?: string, args?: string[]}} server */
  #add(server) {
    this.#servers.push(server)
  }

  /** Changes settings, for windows that are opened then. @param {Record<string, unknown>} settings */
  set(settings) {
    Object.assign(this.#settings, settings)
    this.editor.configure({ "parley.servers": this.#servers, ...this.#settings })
  }

  /** The person at a window on a folder of its own, which nobody uses and nothing is open in. */
  async window() {
    return this.#idle.pop() ?? Person.at(this.context, this.editor, this.editor.newFolder(`work-${++this.#windows}`))
  }

  /** The person in another browser, which has none of their secrets. */
  async elsewhere() {
    const context = await this.browser.newContext({ viewport: size })
    return Person.at(context, this.editor, this.editor.newFolder(`work-${++this.#windows}`))
  }

  /** Gives a window back, as if it were new, for the next test. @param {Person} person */
  giveBack(person) {
    this.#idle.push(person)
  }

  /** Closes the windows that nobody uses: the next ones are begun anew. */
  async closeWindows() {
    for (const person of this.#idle.splice(0)) await person.leaves()
  }

  async end() {
    for (const end of this.#ends) await end()
  }
}

/**
 * A test of what a person does in a window, or in several. If it fails, there
 * are pictures of them, and it is done once more in new windows: one of a real
 * browser may freeze, but what is wrong with the extension is wrong twice.
 *
 * @param {() => Scene} scene @param {string} name
 * @param {(open: () => Promise<Person>) => Promise<void>} use opens a window when everything is ready for it
 */
export function inVSCode(scene, name, use) {
  test(name, async (t) => {
    const picture = `failed-${name.replaceAll(/\W+/g, "-").slice(0, 40)}`
    try {
      await attempt(scene(), picture, use)
    } catch (error) {
      t.diagnostic(`once more: ${name}: ${error instanceof Error ? error.stack : error}`)
      await attempt(scene(), `${picture}-again`, use)
    }
  })
}

/** @param {Scene} scene @param {string} picture its name, if it fails @param {(open: () => Promise<Person>) => Promise<void>} use */
async function attempt(scene, picture, use) {
  /** @type {Person[]} */
  const people = []
  const open = async () => {
    const person = await scene.window()
    people.push(person)
    return person
  }
  try {
    await within(limit, use(open).then(() => Promise.all(people.map((person) => person.tidiesUp()))))
  } catch (error) {
    const left = Promise.allSettled(people.map((person, i) => person.photographs(`${picture}-${i + 1}`).finally(() => person.leaves())))
    await within(30_000, left).catch(() => {}) // a window that is frozen cannot even be closed
    throw error
  }
  for (const person of people) scene.giveBack(person)
}

/** @template T @param {number} limit in milliseconds @param {Promise<T>} promise @returns {Promise<T>} */
async function within(limit, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`it was not over after ${limit / 1000} s`)), limit)))
  try {
    return /** @type {T} */ (await Promise.race([promise, late]))
  } finally {
    clearTimeout(timer)
  }
}
