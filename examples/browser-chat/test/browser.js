// The browsers that the tests run in. A further one needs what is typed here
// and nothing else: tests are written in terms of person.js.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants } from "node:fs"
import { createServer } from "node:net"
import { delimiter, join } from "node:path"

import { chromium, firefox } from "playwright-core"

import { launchWebKit } from "./webkit.js"

/** @import { Browser as PlaywrightBrowser, BrowserContext, Page } from "playwright-core" */

/**
 * A tab. Selectors are CSS and match one element.
 *
 * @typedef {object} Tab
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {<A, R>(run: (argument: A) => R | Promise<R>, argument: A) => Promise<R>} evaluate runs a function in the page; both ways JSON
 * @property {(script: string) => Promise<unknown>} inject runs a script in the page, whatever its policy
 * @property {(selector: string) => Promise<unknown>} click as a person: the element is scrolled to and in nobody's shadow
 * @property {(selector: string, text: string) => Promise<unknown>} fill puts text in the place of what is there
 * @property {(selector: string, value: string) => Promise<unknown>} select an option by its value
 * @property {(key: string) => Promise<unknown>} press a key, in the words of the standard: "Tab", "Shift+Tab", "Enter", "a"
 * @property {(path: string, whole?: boolean) => Promise<unknown>} screenshot
 * @property {() => Promise<unknown>} close without letting the page know
 */

/**
 * What one person has open: tabs that share storage.
 *
 * @typedef {object} Profile
 * @property {() => Promise<Tab>} newTab
 * @property {() => Promise<Tab>} nextTab the next tab that a page opens
 * @property {() => Promise<unknown>} close
 */

/** How a person's browser is. @typedef {{width?: number, height?: number, dark?: boolean, amnesia?: boolean}} Look `amnesia`: it has no database */

/**
 * @typedef {object} Browser
 * @property {string} name
 * @property {(look?: Look) => Promise<Profile>} newProfile
 * @property {string[]} errors what pages have thrown, and what their policy has refused them
 * @property {() => Promise<unknown>} close
 */

/** What each browser is called on the PATH. @type {Record<string, string>} */
const programs = { chromium: "chromium", firefox: "firefox-esr", webkit: "WebKitWebDriver" }

/** @param {string} [name] BROWSER of the environment if absent, or else chromium @returns {Promise<Browser>} */
export async function launch(name = process.env.BROWSER || "chromium") {
  const executablePath = program(name)
  if (name === "webkit") return launchWebKit(executablePath, freePort)
  const browser =
    name === "chromium"
      ? await chromium.launch({ executablePath, args: ["--no-sandbox"] }) // for root in a container
      : await firefox.launch({ executablePath, channel: "moz-firefox" }) // as Debian built it
  /** @type {string[]} */
  const errors = []
  return {
    name,
    errors,
    async newProfile({ width = 1280, height = 860, dark = false, amnesia = false } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" })
      if (amnesia) await context.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }))
      const note = (/** @type {string} */ text) => {
        // Firefox looks for an icon of go-server's own page too, whose policy allows none,
        // and playwright's screenshots put a style into the page there.
        if (!text.includes("/favicon.ico") && !(name === "firefox" && text.includes("style-src-elem"))) errors.push(text)
      }
      context.on("weberror", (error) => note(error.error().message))
      context.on("console", (message) => {
        if (/Content[ -]Security[ -]Policy|Trusted/.test(message.text())) note(message.text())
      })
      return profile(context)
    },
    close: () => browser.close(),
  }
}

/**
 * A browser that keeps its data in a folder and can be killed as by a power
 * cut. Only Chromium.
 *
 * @param {string} folder
 * @returns {Promise<{profile: Profile, kill: () => Promise<unknown>}>}
 */
export async function launchToKill(folder) {
  const port = await freePort()
  const args = ["--headless=new", "--no-sandbox", "--no-first-run", `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`]
  const child = spawn(program("chromium"), args, { stdio: "ignore", detached: true })
  const ended = once(child, "exit")
  const browser = await connected(`http://127.0.0.1:${port}`)
  const [context] = browser.contexts()
  if (!context) throw new Error("Chromium started without a profile")
  return {
    profile: profile(context),
    async kill() {
      // The browser and the processes of its pages.
      if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, "SIGKILL")
      await ended
    },
  }
}

/** Waits for Chromium to listen. @param {string} url */
async function connected(url) {
  for (let tries = 1; ; tries++) {
    try {
      return await chromium.connectOverCDP(url)
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  server.close()
  return port
}

/** Where a browser is installed. @param {string} name */
export function program(name) {
  const wanted = programs[name]
  if (!wanted) throw new Error(`there is no browser ${name}: BROWSER is one of ${Object.keys(programs).join(", ")}`)
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, wanted))
    .find(executable)
  if (!found) throw new Error(`there is no ${wanted} on the PATH: run test/setup.sh ${name}`)
  return found
}

/** @param {string} path */
function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param {BrowserContext} context @returns {Profile} */
export function profile(context) {
  return {
    newTab: async () => tab(await context.newPage()),
    async nextTab() {
      return tab(await context.waitForEvent("page", { timeout: 5000 }))
    },
    close: () => context.close(),
  }
}

/** @param {Page} page @returns {Tab} */
function tab(page) {
  page.setDefaultTimeout(5000)
  return {
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    evaluate: (run, argument) => page.evaluate(/** @type {any} */ (run), argument),
    inject: (script) => page.evaluate(script),
    click: (selector) => page.click(selector),
    async fill(selector, text) {
      await page.fill(selector, "") // Firefox adds to what is in a field for e-mail addresses
      await page.fill(selector, text)
    },
    select: (selector, value) => page.selectOption(selector, { value }),
    press: (key) => page.keyboard.press(key),
    screenshot: (path, whole = false) => page.screenshot({ path, fullPage: whole }),
    close: () => page.close(),
  }
}
