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
  const env = { ...process.env, DISPLAY: `:${String(number).trim()}`, NO_AT_BRIDGE: "1" } // there is no accessibility bus
  const { send, service } = await start(driver, env)
  const stop = () => {
    service.kill()
    display.kill()
  }
  process.once("exit", stop)
  try {
    let session = begin(send)
    return {
      version: (await session).version,
      async open(url) {
        const last = session
        try {
          return await (await last).tabs.open(url)
        } catch (error) {
          if (!String(error).includes("invalid session id")) throw error
          if (session === last) session = begin(send) // a page that crashed has taken the browser with it
          return (await session).tabs.open(url)
        }
      },
      async close() {
        await (await session).end().catch(() => {}) // it may have crashed
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

/**
 * The driver on a free port, which somebody else may take before it does: then it
 * ends, and another one is tried.
 *
 * @param {string} driver @param {NodeJS.ProcessEnv} env
 */
async function start(driver, env) {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const service = spawn(driver, [`--port=${port}`], { stdio: ["ignore", "ignore", "ignore"], env })
    const send = client(`http://127.0.0.1:${port}`)
    const ended = () => service.exitCode !== null || service.signalCode !== null
    if (await listens(send, ended)) return { send, service }
    if (tries === 5) throw new Error(`${driver} does not start`)
  }
}

/** A session, which has a browser of its own. @param {Send} send */
async function begin(send) {
  const { sessionId, capabilities } = await send("POST", "/session", { capabilities: {} })
  /** @type {Send} */
  const inSession = (method, path, body) => send(method, `/session/${sessionId}${path}`, body)
  return {
    version: capabilities.browserVersion,
    tabs: new Tabs(inSession, await inSession("GET", "/window")),
    end: () => inSession("DELETE", ""),
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
    const { lost, end } = this.#watch()
    return {
      gone: lost,
      close: () => {
        end()
        return this.#inTurn(() => this.#close(handle))
      },
    }
  }

  /** Looks now and then whether the browser is there. */
  #watch() {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const end = () => clearInterval(timer)
    /** @type {Promise<never>} */
    const lost = new Promise((_, reject) => {
      timer = setInterval(() => this.#inTurn(() => this.#send("GET", "/window/handles")).catch(reject), 2000)
    })
    lost.catch(end) // who waits hears of it, too
    return { lost, end }
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

/** Waits for the driver to listen. @param {Send} send @param {() => boolean} ended tells that it never will */
async function listens(send, ended) {
  while (!ended()) {
    try {
      await send("GET", "/status")
      return !ended() // or it was somebody else who answered
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return false
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {AddressInfo} */ (server.address())
  server.close()
  await once(server, "close")
  return port
}
