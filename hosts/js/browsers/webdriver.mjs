// WebKitGTK, through the W3C's WebDriver protocol: playwright-core drives only
// its own build of WebKit, WebKitWebDriver the one that Debian ships.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"

/** @import { AddressInfo } from "node:net" */
/** @import { Browser } from "./launch.mjs" */

/** @param {string} driver WebKitWebDriver, which starts MiniBrowser @returns {Promise<Browser>} */
export async function launchWebKit(driver) {
  // GTK has no headless mode.
  const display = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] })
  const [number] = await once(display.stdout, "data")
  const port = await freePort()
  const service = spawn(driver, [`--port=${port}`], {
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, NO_AT_BRIDGE: "1" }, // there is no accessibility bus
  })
  const stop = () => {
    service.kill()
    display.kill()
  }
  process.once("exit", stop)
  try {
    const send = client(`http://127.0.0.1:${port}`)
    await ready(send)
    const { sessionId, capabilities } = await send("POST", "/session", { capabilities: {} })
    /** @type {Send} */
    const inSession = (method, path, body) => send(method, `/session/${sessionId}${path}`, body)
    const tabs = new Tabs(inSession, await inSession("GET", "/window"))
    return {
      version: capabilities.browserVersion,
      open: (url) => tabs.open(url),
      async close() {
        await inSession("DELETE", "")
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** @typedef {(method: string, path: string, body?: object) => Promise<any>} Send a command of WebDriver, answered with its value */

/** The tabs of a session. Commands go to its current tab, so that each takes its turn. */
class Tabs {
  #send
  #home
  #turn = Promise.resolve()

  /** @param {Send} send @param {string} home the tab that stays, because a session needs one */
  constructor(send, home) {
    this.#send = send
    this.#home = home
  }

  /** @param {string} url */
  async open(url) {
    const handle = await this.#inTurn(async () => {
      const { handle } = await this.#send("POST", "/window/new", { type: "tab" })
      await this.#send("POST", "/window", { handle })
      await this.#send("POST", "/url", { url })
      return handle
    })
    return { close: () => this.#inTurn(() => this.#close(handle)) }
  }

  /** @param {string} handle */
  async #close(handle) {
    await this.#send("POST", "/window", { handle })
    await this.#send("DELETE", "/window")
    await this.#send("POST", "/window", { handle: this.#home })
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    const done = this.#turn.then(work)
    this.#turn = done.then(() => {}, () => {})
    return done
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

/** Waits for the driver to listen. @param {Send} send */
async function ready(send) {
  for (let tries = 1; ; tries++) {
    try {
      return await send("GET", "/status")
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {AddressInfo} */ (server.address())
  server.close()
  await once(server, "close")
  return port
}
