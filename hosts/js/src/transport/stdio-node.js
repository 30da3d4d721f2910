import { spawn } from "node:child_process"

import { sized } from "./failure-reason.js"
import { say, sentenceOf, translate } from "../texts/sentence.js"

/** @import { ChildProcessByStdio } from "node:child_process" */
/** @import { Readable, Writable } from "node:stream" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { Carried, Carrier, Receive, Transport } from "./contract.js" */

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

/** The variables that a server's process gets unless it is trusted with more. */
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
    const { exchange, body, cancels } = action
    if (cancels !== undefined && this.#process?.drop(cancels)) return this.#receive({ type: "ended", exchange: cancels, unsent: true })
    try {
      this.#process ??= new ServerProcess(this.#options, this.#receive, (gone) => {
        if (this.#process === gone) this.#process = undefined
      })
    } catch (error) {
      return this.#receive({ type: "ended", exchange, reason: unstarted(this.#options.command, error), unsent: true }, error)
    }
    this.#process.write(exchange, body)
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
  /** Messages that are not written, by exchange. The first may be in part. @type {Map<number, string>} */
  #unwritten = new Map()
  /** Nobody reads what is written to one that has ended. @type {"starting" | "running" | "ended"} */
  #life = "starting"
  #writing = false
  #lines
  /** Settles when there is room for more messages. @type {Promise<void> | void} */
  #room = undefined
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
    this.#lines = new Lines(maxMessage, (body) => (this.#room = this.#feed({ type: "message", exchange: 0, body })))
    if (typeof stderr === "function") this.#child.stderr?.setEncoding("utf8").on("data", stderr)
    this.#child.stdin.on("error", () => {}) // the process has ended, which is told in a moment
    this.#child.stdout.on("data", (bytes) => this.#read(bytes))
    this.#child.stdout.on("end", () => this.#lines.end())
    this.#child.on("spawn", () => {
      this.#life = "running"
      this.#write()
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        if (this.#life !== "starting") return
        this.#unsend(unstarted(command, error), error)
        this.#over = true
        resolve()
      })
      this.#child.on("exit", (code, signal) => {
        this.#life = "ended"
        this.#child.stdout.resume()
        const gone = () => this.#gone(signal ? sentenceOf(signal) : say`exit code ${code ?? 0}`)
        this.#child.on("close", gone)
        setTimeout(gone, drain).unref()
        resolve()
      })
    })
  }

  /** @param {number} exchange @param {string} line */
  write(exchange, line) {
    this.#unwritten.set(exchange, line)
    this.#write()
  }

  /** Drops a message that is not being written, and tells whether there was one. @param {number} exchange */
  drop(exchange) {
    const [first] = this.#unwritten.keys()
    return !(this.#writing && exchange === first) && this.#unwritten.delete(exchange)
  }

  /**
   * Writes one message after the other: with several under way at once nobody
   * would know which of them was written before the process ended.
   */
  #write() {
    const [first] = this.#unwritten
    if (!first || this.#life !== "running" || this.#writing) return
    const [exchange, line] = first
    this.#writing = true
    this.#child.stdin.write(line + "\n", (error) => {
      this.#writing = false
      if (error) return this.#unread(error)
      this.#unwritten.delete(exchange)
      this.#write()
    })
  }

  /** The process has ended, which is told in a moment, or it does not read any more. @param {Error} error */
  #unread(error) {
    setTimeout(() => {
      this.#gone(say`it reads no more messages`, error)
      this.close()
    }, drain).unref()
  }

  kill() {
    this.#over = true
    this.#child.kill("SIGKILL")
  }

  /**
   * Ends it as basic/transports/stdio, Shutdown says: its input is closed, and
   * if that is not enough it is terminated.
   */
  async close() {
    this.#over = true
    for (const line of [...this.#unwritten.values()].slice(this.#writing ? 1 : 0)) this.#child.stdin.write(line + "\n")
    this.#unwritten.clear()
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
      this.#gone(say`a message that it sent is longer than ${sized(this.#most)} (maxMessage)`, error)
      this.kill()
    }
    const { stdout } = this.#child
    if (this.#room && this.#life !== "ended") { // then little is left
      stdout.pause()
      this.#room.then(() => stdout.resume())
      this.#room = undefined
    }
  }

  /** @param {Sentence} reason @param {unknown} [cause] */
  #gone(reason, cause) {
    const sentence = say`the server's process ended: ${reason}`
    cause ??= new Error(`parley: ${translate(sentence)}`)
    this.#unsend(sentence, cause)
    this.#feed({ type: "down", reason }, cause)
    this.#over = true
  }

  /** Tells of each message that was not written, before the end of the process is told. @param {Sentence} reason @param {unknown} cause */
  #unsend(reason, cause) {
    for (const exchange of this.#unwritten.keys()) this.#feed({ type: "ended", exchange, reason, unsent: true }, cause)
    this.#onGone(this)
  }

  /** @param {Parameters<Receive>[0]} event @param {unknown} [cause] */
  #feed(event, cause) {
    if (!this.#over) return this.#receive(event, cause)
  }
}

/** Why a program cannot be started. Its arguments may hold a secret. @param {string} command @param {unknown} error */
function unstarted(command, error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error)
  const why = code === "ENOENT" ? say`was not found` : code === "EACCES" ? say`may not be run` : say`cannot be run (${code ?? ""})`
  return say`the server's program cannot be started: ${JSON.stringify(command)} ${why}`
}

/** Takes bytes apart into lines. */
class Lines {
  #most
  #onLine
  /** What came of the line at hand. @type {Uint8Array[]} */
  #parts = []
  #size = 0

  /** @param {number} most bytes in a line @param {(line: Uint8Array) => void} onLine */
  constructor(most, onLine) {
    this.#most = most
    this.#onLine = onLine
  }

  /** Throws a RangeError if a line is too long. @param {Uint8Array} bytes */
  feed(bytes) {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(10, at)
      this.#add(bytes.subarray(at, end < 0 ? undefined : end))
      if (end < 0) return
      this.end()
      at = end + 1
    }
  }

  /** The line at hand is over: the last one may lack its end. */
  end() {
    const line = this.#parts.length === 1 ? /** @type {Uint8Array} */ (this.#parts[0]) : Buffer.concat(this.#parts)
    this.#parts = []
    this.#size = 0
    if (line.length) this.#onLine(line)
  }

  /** @param {Uint8Array} part */
  #add(part) {
    this.#size += part.length
    if (this.#size > this.#most) throw new RangeError()
    this.#parts.push(part)
  }
}
