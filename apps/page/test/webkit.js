// WebKitGTK, as Debian builds it, by WebKitWebDriver: playwright-core drives only
// its own build.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"

import { GoneError, patience, patiently } from "./patience.js"
import { Session } from "./webdriver.js"

/** @import { AddressInfo } from "node:net" */
/** @import { Browser } from "./browser.js" */
/** @import { Send } from "./webdriver.js" */

/** @param {string} driver where WebKitWebDriver is @returns {Promise<Browser>} */
export async function launchWebKit(driver) {
  // GTK has no headless mode.
  const display = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] })
  const [number] = await once(display.stdout, "data")
  const stop = () => {
    service?.kill()
    display.kill()
  }
  process.once("exit", stop)
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let service
  let gone = false
  // A port that is free may be somebody else's a moment later: then the driver ends, and another is tried.
  const send = await patiently(async () => {
    const port = await freePort()
    const tried = (service = spawn(driver, [`--port=${port}`], { stdio: "ignore", env: environment(`:${String(number).trim()}`) }))
    const send = painting(client(`http://127.0.0.1:${port}`, () => (gone = true)))
    while (tried.exitCode === null && !(await send("Status").catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50))
    if (tried.exitCode !== null) throw new Error(`${driver} ended with ${tried.exitCode}`)
    return send
  })
  const session = await Session.begin(send)
  return {
    name: "webkit",
    newProfile: async (look = {}) => session.profile(look, ({ width = 1280, height = 860 }) => send("SetWindowRect", { width, height })),
    errors: async () => [], // the protocol does not tell
    gone: () => gone,
    async close() {
      await send("DeleteSession").catch(() => {}) // it may be gone
      stop()
      process.off("exit", stop)
    },
  }
}

/** Without a graphics card, compositing keeps both cores busy with pages that stand still. @param {string} display */
function environment(display) {
  return { ...process.env, DISPLAY: display, NO_AT_BRIDGE: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1", LANGUAGE: "en_US:en" }
}

/**
 * Has the page painted while a picture is taken: without compositing, one that
 * stands still never is, and the driver waits for it.
 *
 * @param {Send} send
 * @returns {Send}
 */
function painting(send) {
  const begin = "let n = 0; return setInterval(() => (document.documentElement.style.outline = `${1 + (n++ % 2)}px solid transparent`), 20)"
  return async (command, parameters) => {
    if (command !== "TakeScreenshot") return send(command, parameters)
    const timer = await send("ExecuteScript", { script: begin, args: [] })
    const picture = await send(command, parameters)
    await send("ExecuteScript", { script: "clearInterval(arguments[0])", args: [timer] })
    return picture
  }
}

/** Where each command goes. @type {Record<string, [method: string, path: string]>} */
const routes = {
  Status: ["GET", "/status"],
  NewSession: ["POST", "/session"],
  DeleteSession: ["DELETE", ""],
  SetTimeouts: ["POST", "/timeouts"],
  Navigate: ["POST", "/url"],
  Refresh: ["POST", "/refresh"],
  NewWindow: ["POST", "/window/new"],
  CloseWindow: ["DELETE", "/window"],
  SwitchToWindow: ["POST", "/window"],
  GetWindowHandle: ["GET", "/window"],
  GetWindowHandles: ["GET", "/window/handles"],
  SetWindowRect: ["POST", "/window/rect"],
  ExecuteScript: ["POST", "/execute/sync"],
  ExecuteAsyncScript: ["POST", "/execute/async"],
  ElementClick: ["POST", "/element/{id}/click"],
  PerformActions: ["POST", "/actions"],
  TakeScreenshot: ["GET", "/screenshot"],
}

/** @param {string} address @param {() => void} onGone is called when there is no session any more @returns {Send} */
function client(address, onGone) {
  let session = ""
  return async (command, parameters = {}) => {
    const [method, path] = routes[command] ?? []
    if (method === undefined) throw new Error(`WebKit knows no command ${command}`)
    const body = method === "POST" ? JSON.stringify(parameters) : null
    const url = address + session + path?.replace("{id}", Object(parameters).id)
    const response = await fetch(url, { method, body, signal: AbortSignal.timeout(2 * patience) }).catch((error) => {
      if (!session || error.name === "TimeoutError") throw error
    })
    const { value } = /** @type {{value: any}} */ (await response?.json()) ?? {}
    // A process of one page that crashes takes all windows with it.
    if (!response || value?.error === "invalid session id") {
      onGone()
      throw new GoneError(`WebDriver: ${command}: WebKit is gone`)
    }
    if (!response.ok) throw new Error(`WebDriver: ${command}: ${value.error}: ${value.message}`)
    if (command === "NewSession") session = `/session/${value.sessionId}`
    return value
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {AddressInfo} */ (server.address())
  server.close()
  return port
}
