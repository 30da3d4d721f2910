// WebKitGTK, through the W3C's WebDriver protocol: playwright-core drives only
// its own build of WebKit, WebKitWebDriver the one that Debian ships. A driver
// has one session, so each person gets a driver of their own.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"

/** @import { Browser, Look, Profile, Tab } from "./browser.js" */

/** How long after its last script a page can be reloaded without its process crashing, in milliseconds. */
const settle = 1500

/** A command of WebDriver, answered with its value. @typedef {(method: string, path: string, body?: object) => Promise<any>} Send */

/**
 * @param {string} driver where WebKitWebDriver is
 * @param {() => Promise<number>} freePort
 * @returns {Promise<Browser>}
 */
export async function launchWebKit(driver, freePort) {
  // GTK has no headless mode.
  const display = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] })
  const [number] = await once(display.stdout, "data")
  const environment = { ...process.env, DISPLAY: `:${String(number).trim()}`, NO_AT_BRIDGE: "1" }
  process.once("exit", () => display.kill())
  return {
    name: "webkit",
    errors: [], // the protocol does not tell
    async newProfile(look) {
      const port = await freePort()
      const service = spawn(driver, [`--port=${port}`], { stdio: "ignore", env: environment })
      process.once("exit", () => service.kill())
      return profile(client(`http://127.0.0.1:${port}`), look, () => service.kill())
    },
    close: async () => display.kill(),
  }
}

/** @param {Send} send @param {Look | undefined} look @param {() => void} stop @returns {Promise<Profile>} */
async function profile(send, { width = 1280, height = 860 } = {}, stop) {
  const { sessionId } = await started(send)
  /** @type {Send} */
  const inSession = (method, path, body) => send(method, `/session/${sessionId}${path}`, body)
  await inSession("POST", "/timeouts", { script: 10_000, implicit: 5000 })
  let last = Promise.resolve()

  /** Runs commands in one tab, with none of another tab's between. @template T @param {string} handle @param {() => Promise<T>} commands @returns {Promise<T>} */
  async function inTab(handle, commands) {
    const before = last
    let done = () => {}
    last = new Promise((resolve) => (done = () => resolve(undefined)))
    await before
    try {
      await inSession("POST", "/window", { handle })
      return await commands()
    } finally {
      done()
    }
  }

  /** @param {string} handle @returns {Promise<Tab>} */
  async function tab(handle) {
    await inTab(handle, () => inSession("POST", "/window/rect", { width, height }))
    const element = async (/** @type {string} */ selector) => {
      const found = await inSession("POST", "/element", { using: "css selector", value: selector })
      return `/element/${Object.values(found)[0]}`
    }
    return {
      goto: (url) => inTab(handle, () => inSession("POST", "/url", { url })),
      reload: () =>
        inTab(handle, async () => {
          await new Promise((resolve) => setTimeout(resolve, settle))
          await inSession("POST", "/refresh", {})
        }),
      evaluate: (run, argument) =>
        inTab(handle, () =>
          inSession("POST", "/execute/async", {
            script: `const [argument, done] = arguments; Promise.resolve((${run})(argument ?? undefined)).then(done)`,
            args: [argument ?? null],
          }),
        ),
      inject: (script) => inTab(handle, () => inSession("POST", "/execute/sync", { script, args: [] })),
      click: (selector) =>
        inTab(handle, async () => {
          // The driver looks at the window only, not at what scrolls within it.
          await inSession("POST", "/execute/sync", { script: 'document.querySelector(arguments[0]).scrollIntoView({ block: "center" })', args: [selector] })
          await patiently(inSession, `${await element(selector)}/click`)
        }),
      // Not by keys: into a date they go in the order of the person's country, and a line break ends a form.
      fill: (selector, text) => inTab(handle, () => inSession("POST", "/execute/sync", { script: `(${setValue})(...arguments)`, args: [selector, text] })),
      select: (selector, value) => inTab(handle, async () => inSession("POST", `${await element(`${selector} option[value="${value}"]`)}/click`, {})),
      press: (key) => inTab(handle, () => inSession("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions: strokes(key) }] })),
      async screenshot(path) {
        writeFileSync(path, Buffer.from(await inTab(handle, () => inSession("GET", "/screenshot")), "base64"))
      },
      close: () => inTab(handle, () => inSession("DELETE", "/window")),
    }
  }

  const home = await inSession("GET", "/window") // stays open: a session ends with its last tab
  return {
    newTab: () => inTab(home, () => inSession("POST", "/window/new", { type: "window" })).then(({ handle }) => tab(handle)),
    async nextTab() {
      const known = await inSession("GET", "/window/handles")
      for (let tries = 0; tries < 100; tries++) {
        const next = (await inSession("GET", "/window/handles")).find((/** @type {string} */ one) => !known.includes(one))
        if (next) return tab(next)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error("no tab was opened")
    },
    async close() {
      await send("DELETE", `/session/${sessionId}`).finally(stop)
    },
  }
}

/** Starts a session as soon as the driver listens. @param {Send} send */
async function started(send) {
  for (let tries = 1; ; tries++) {
    try {
      await send("GET", "/status")
      return send("POST", "/session", { capabilities: {} })
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** @param {string} address @returns {Send} */
function client(address) {
  return async (method, path, body) => {
    const response = await fetch(address + path, { method, body: body && JSON.stringify(body) })
    const { value } = /** @type {{value: any}} */ (await response.json())
    if (!response.ok) throw new Error(`WebDriver: ${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }
}

/** Clicks as soon as the element has come to rest where it can be clicked. @param {Send} send @param {string} path */
async function patiently(send, path) {
  for (let tries = 1; ; tries++) {
    try {
      return await send("POST", path, {})
    } catch (error) {
      if (tries === 20) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Runs in the page. @param {string} selector @param {string} text */
function setValue(selector, text) {
  const input = /** @type {HTMLInputElement} */ (document.querySelector(selector))
  input.focus()
  input.value = text
  input.dispatchEvent(new InputEvent("input", { bubbles: true }))
  input.dispatchEvent(new Event("change", { bubbles: true }))
}

/** The strokes that press a key. @param {string} key */
function strokes(key) {
  const all = key.split("+").map((one) => keys[one] ?? one)
  return [...all.map((value) => ({ type: "keyDown", value })), ...all.reverse().map((value) => ({ type: "keyUp", value }))]
}

/** Keys without a character of their own, as WebDriver names them. @type {Record<string, string>} */
const keys = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
}
