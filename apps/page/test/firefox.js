// Firefox ESR, as Debian builds it, by Marionette: WebDriver's commands over a
// socket, and what geckodriver, which Debian has not, speaks to it. It is
// lighter than playwright-core, which has Firefox report every byte it loads.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { GoneError, patience, patiently } from "./patience.js"
import { Session } from "./webdriver.js"

/** @import { Socket } from "node:net" */
/** @import { Browser, Look } from "./browser.js" */
/** @import { Send } from "./webdriver.js" */

/** Port 0 takes a free one, and a file says which. */
const preferences = 'user_pref("marionette.port", 0);\nuser_pref("intl.accept_languages", "en-US, en");\nuser_pref("ui.prefersReducedMotion", 1);\n'

/** @param {string} executablePath @returns {Promise<Browser>} */
export async function launchFirefox(executablePath) {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  writeFileSync(join(folder, "user.js"), preferences)
  const args = ["--headless", "--no-remote", "--profile", folder, "--marionette", "--remote-allow-system-access", "about:blank"]
  const child = spawn(executablePath, args, { stdio: "ignore" })
  const ended = once(child, "exit")
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  const socket = await patiently(() => connected(Number(readFileSync(join(folder, "MarionetteActivePort"), "utf8"))))
  const send = client(socket)
  const session = await Session.begin(send)

  /** Runs a script with the rights of the browser itself. @param {string} script @param {...unknown} args */
  async function asBrowser(script, ...args) {
    await send("Marionette:SetContext", { value: "chrome" })
    try {
      return await send("ExecuteScript", { script, args })
    } finally {
      await send("Marionette:SetContext", { value: "content" })
    }
  }

  return {
    name: "firefox",
    async newProfile(look = {}) {
      return session.profile(look, ({ width = 1280, height = 860, dark = false }) => asBrowser(dress, width, height, dark))
    },
    errors: () => session.inTurn(() => asBrowser(errors)),
    gone: () => socket.destroyed,
    async close() {
      await send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(kill)
      await ended
      process.off("exit", kill)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param {number} port @returns {Promise<Socket>} */
async function connected(port) {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  return socket
}

/**
 * What sends commands. A message is its length in bytes, a colon and JSON.
 *
 * Source: Firefox Source Docs, testing/marionette/Protocol.
 *
 * @param {Socket} socket
 * @returns {Send}
 */
function client(socket) {
  let received = Buffer.alloc(0)
  let last = 0
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, command: string}>} */
  const waiting = new Map()
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(":")
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (colon < 0 || received.length < end) return
      const message = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      if (!Array.isArray(message)) continue // it greets
      const [, id, error, result] = message
      const { resolve, reject, command } = waiting.get(id) ?? {}
      waiting.delete(id)
      if (error) reject?.(new Error(`Marionette: ${command}: ${error.error}: ${error.message}`))
      else resolve?.(isValue(result) ? result.value : result)
    }
  })
  socket.on("close", () => {
    for (const { reject, command } of waiting.values()) reject(new GoneError(`Marionette: ${command}: Firefox is gone`))
  })
  return (command, parameters = {}) =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new GoneError(`Marionette: ${command}: Firefox is gone`))
      const id = ++last
      waiting.set(id, { resolve, reject, command })
      setTimeout(() => waiting.delete(id) && reject(new Error(`Marionette: ${command}: Firefox does not answer`)), 2 * patience).unref()
      const text = JSON.stringify([0, id, command.includes(":") ? command : `WebDriver:${command}`, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

/** Whether a result is wrapped, as most are. @param {any} result */
function isValue(result) {
  return typeof result === "object" && result !== null && Object.keys(result).join() === "value"
}

/** A script of the browser's: gives the current window's page a size, and day or night. */
const dress = `
  const [width, height, dark] = arguments
  window.resizeTo(Math.max(width, 500), height + 150)
  const { style, browsingContext } = window.gBrowser.selectedBrowser
  Object.assign(style, { width: width + "px", height: height + "px" })
  browsingContext.prefersColorSchemeOverride = dark ? "dark" : "light"`

/**
 * A script of the browser's: takes what was thrown in pages, and what their
 * policy refused them, from the console. Firefox looks for an icon of
 * go-server's own page too, whose policy allows none.
 */
const errors = `
  const all = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & one.warningFlag))
  Services.console.reset()
  const found = all.filter(({ category, errorMessage }) => /^(content javascript|CSP)/.test(category) && !errorMessage.includes("/favicon.ico"))
  return found.map(({ errorMessage }) => errorMessage)`
