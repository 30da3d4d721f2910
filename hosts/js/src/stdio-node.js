import { spawn } from "node:child_process"

/** @import { ChildProcessByStdio } from "node:child_process" */
/** @import { Readable, Writable } from "node:stream" */
/** @import { Carried, Carrier, Receive, Transport } from "./transport.js" */

/**
 * @typedef {object} StdioOptions
 * @property {string} command the server's program
 * @property {string[]} [args]
 * @property {Record<string, string | undefined>} [env]
 *   beside the few variables that a program needs to run, such as PATH and HOME; `process.env` gives it all
 * @property {string} [cwd]
 * @property {"inherit" | ((text: string) => void)} [stderr] where its log goes; nowhere if absent
 * @property {number} [maxMessage] bounds a message of the server, in bytes; 65 MiB if absent, a little more than what the engine takes
 */

/**
 * A server's process, and messages as lines to and from it. It is started for
 * the first message, and anew after it ended.
 *
 * @param {StdioOptions} options
 * @returns {Transport}
 */
export function stdioTransport(options) {
  return { kind: "stdio", open: (receive) => new StdioCarrier(options, receive) }
}

/** What the process of a server that was not trusted with more gets to know. */
const harmless = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"].concat(
  ["APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"], // of Windows
)

/** How long a process may take to end by itself, and then by SIGTERM, in milliseconds. */
const patience = 2000

/** How long the rest of its output may take after the process ended: a child of its own may hold it open. */
const drain = 200

/** @implements {Carrier} */
class StdioCarrier {
  #options
  #receive
  /** @type {ServerProcess | undefined} */
  #process

  /** @param {StdioOptions} options @param {Receive} receive */
  constructor(options, receive) {
    this.#options = options
    this.#receive = receive
  }

  /** @param {Carried} action */
  perform(action) {
    if (action.type !== "post") return
    this.#process ??= new ServerProcess(this.#options, this.#receive, (gone) => {
      if (this.#process === gone) this.#process = undefined
    })
    this.#process.write(action.exchange, action.body)
  }

  reset() {
    this.#process?.kill()
    this.#process = undefined
  }

  async close() {
    await this.#process?.close()
  }
}

/** One life of a server. */
class ServerProcess {
  #receive
  #onGone
  #most
  #child
  /** Exchanges of messages that are read by nobody unless the program turns out to run. @type {number[] | undefined} */
  #unread = []
  #lines
  /** Nothing of it is of interest any more. */
  #over = false

  /** When it has ended. @type {Promise<void>} */
  #ended

  /** @param {StdioOptions} options @param {Receive} receive @param {(gone: ServerProcess) => void} onGone */
  constructor({ command, args = [], env, cwd, stderr, maxMessage = 65 << 20 }, receive, onGone) {
    this.#receive = receive
    this.#onGone = onGone
    this.#most = maxMessage
    const child = spawn(command, args, {
      cwd,
      env: { ...Object.fromEntries(harmless.map((name) => [name, process.env[name]])), ...env },
      stdio: ["pipe", "pipe", typeof stderr === "function" ? "pipe" : (stderr ?? "ignore")],
      windowsHide: true,
    })
    this.#child = /** @type {ChildProcessByStdio<Writable, Readable, Readable | null>} */ (child)
    this.#lines = new Lines(maxMessage, (body) => this.#feed({ type: "message", exchange: 0, body }))
    if (typeof stderr === "function") this.#child.stderr?.setEncoding("utf8").on("data", stderr)
    this.#child.stdin.on("error", () => {}) // the process has ended, which is told in a moment
    this.#child.stdout.on("data", (bytes) => this.#read(bytes))
    this.#child.on("spawn", () => (this.#unread = undefined))
    this.#ended = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        if (!this.#unread) return
        this.#gone("it cannot be started", error)
        resolve()
      })
      this.#child.on("exit", (code, signal) => {
        this.#unread = [] // what is written now is read by nobody
        const gone = () => this.#gone(signal ?? `exit code ${code}`)
        this.#child.on("close", gone)
        setTimeout(gone, drain).unref()
        resolve()
      })
    })
  }

  /** @param {number} exchange @param {string} line */
  write(exchange, line) {
    this.#unread?.push(exchange)
    this.#child.stdin.write(line + "\n")
  }

  kill() {
    this.#over = true
    this.#child.kill("SIGKILL")
  }

  /**
   * Lets it end as basic/transports/stdio, Shutdown asks: its input is closed,
   * and if that is not enough it is made to end.
   */
  async close() {
    this.#over = true
    this.#child.stdin.end()
    for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
      const timer = setTimeout(() => this.#child.kill(signal), signal === "SIGTERM" ? patience : 2 * patience)
      this.#ended.then(() => clearTimeout(timer))
    }
    await this.#ended
  }

  /** @param {Uint8Array} bytes */
  #read(bytes) {
    try {
      this.#lines.feed(bytes)
    } catch (error) {
      this.#gone(error instanceof RangeError ? `a message is longer than ${this.#most} bytes` : "its output is not UTF-8", error)
      this.kill()
    }
  }

  /** @param {string} reason @param {unknown} [cause] */
  #gone(reason, cause = new Error(`parley: the server's process ended: ${reason}`)) {
    for (const exchange of this.#unread ?? []) this.#feed({ type: "ended", exchange, reason: `the server's process is not there: ${reason}`, unsent: true }, cause)
    this.#onGone(this)
    this.#feed({ type: "down", reason }, cause)
    this.#over = true
  }

  /** @param {Parameters<Receive>[0]} event @param {unknown} [cause] */
  #feed(event, cause) {
    if (!this.#over) this.#receive(event, cause)
  }
}

/** Takes bytes apart into lines of text. */
class Lines {
  #most
  #onLine
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  /** What came of the line at hand. @type {Uint8Array[]} */
  #parts = []
  #size = 0

  /** @param {number} most bytes in a line @param {(line: string) => void} onLine */
  constructor(most, onLine) {
    this.#most = most
    this.#onLine = onLine
  }

  /** Throws a RangeError if a line is too long, and a TypeError if it is not UTF-8. @param {Uint8Array} bytes */
  feed(bytes) {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(10, at)
      this.#add(bytes.subarray(at, end < 0 ? undefined : end))
      if (end < 0) return
      const line = this.#decoder.decode(this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts))
      this.#parts = []
      this.#size = 0
      if (line.trim()) this.#onLine(line)
      at = end + 1
    }
  }

  /** @param {Uint8Array} part */
  #add(part) {
    this.#size += part.length
    if (this.#size > this.#most) throw new RangeError()
    this.#parts.push(part)
  }
}
