import { pause } from "../lease.js"
import { ExistsError, NotFoundError, TakenError } from "../errors.js"
import { LayoutError, SupersededError, UnsureError } from "../faults.js"
import { connectionOf } from "./client.js"
import { checkPrefix } from "./url.js"

/** @import { RedisClient } from "./client.js" */
/** @import { Tried } from "./order.js" */
/** @import { Script } from "./scripts.js" */

/**
 * @typedef {object} RedisServerOptions
 * @property {string} [prefix] before the colon that all keys begin with; "parley" if absent
 * @property {number} [wait] how many replicas are to confirm a step, or a mark; none if absent
 * @property {boolean} [evictionChecked]
 *   for a server that does not tell its maxmemory-policy, by who knows that it is noeviction
 * @property {number} [timeout] how long one step may take, with all that is tried again, in milliseconds
 */

/** What does not pass by waiting. */
class RefusedError extends Error {}

const evicts = "parley: this Redis may evict keys, and with them calls and the marks of used states: set maxmemory-policy to noeviction"
const untold =
  "parley: this Redis does not tell its maxmemory-policy, which must be noeviction: where you know that it is, say so with evictionChecked, or eviction=checked in the URL"

/** What lies under the keys, as hosts/go/store/redis/LAYOUT.md says. */
const layout = "1"

/**
 * A Redis that keeps what must not be lost. Everything that is done may be done
 * twice, so that what had no answer is tried again, until its time is up.
 */
export class RedisServer {
  #connection
  #timeout
  #wait
  #evictionChecked
  /** How many connections there had been when the server was last looked at. */
  #looked = -1

  /** @param {RedisClient} client @param {RedisServerOptions} options @param {number} timeout if the options have none */
  constructor(client, { prefix = "parley", wait = 0, evictionChecked = false, timeout: within }, timeout) {
    this.#connection = connectionOf(client)
    this.#timeout = within ?? timeout
    this.#wait = wait
    this.#evictionChecked = evictionChecked
    this.prefix = checkPrefix(prefix)
  }

  /**
   * Does something until it is done, is refused, or its time is up.
   *
   * @template T
   * @param {() => Promise<T>} work @param {AbortSignal} [signal] @param {number} [within] in milliseconds
   * @returns {Promise<T>}
   */
  async try(work, signal, within = this.#timeout) {
    const end = performance.now() + within
    for (let wait = 5; ; wait = Math.min(2 * wait, 500)) {
      signal?.throwIfAborted()
      try {
        return await inTime(this.#once(work), end - performance.now(), signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (!passes(error) || performance.now() + wait >= end) throw explained(error)
      }
      await pause(wait, signal)
    }
  }

  /** @template T @param {() => Promise<T>} work */
  async #once(work) {
    await this.#look()
    const done = await work()
    await this.#look() // where a connection began meanwhile
    return done
  }

  /**
   * Runs a script that changes something, and returns what it says after "ok".
   * Where it may have been run, and there was no answer, it rejects with an
   * {@link UnsureError}.
   *
   * @param {Script} script @param {[string, ...string[]]} keys @param {(string | Uint8Array)[]} args
   * @param {{signal?: AbortSignal, within?: number, count?: number, tried?: Tried}} [how]
   *   `count` is how many words there have to be
   */
  async change(script, keys, args, { signal, within, count = 0, tried = { maybe: false } } = {}) {
    let open = 0 // tries that were not refused
    const run = async () => {
      open++
      try {
        return await this.run(script, keys, args)
      } catch (error) {
        if (wordOf(error)) open--
        throw error
      }
    }
    let words
    try {
      words = await this.try(run, signal, within)
      tried.maybe = open > 1
    } catch (error) {
      tried.maybe = open > 0
      if (!open || signal?.aborted) throw error
      throw new UnsureError(error instanceof Error ? error.message.replace(/^parley: /, "") : String(error), { cause: error })
    }
    const rest = verdict(words, count)
    await this.confirmed(keys[0], signal)
    return rest
  }

  /** Sends a command. @param {(string | Uint8Array)[]} args @param {string} [key] */
  send(args, key) {
    return this.#connection.send(args, key)
  }

  /**
   * Runs a script, and returns what it says.
   *
   * @param {Script} script @param {[string, ...string[]]} keys @param {(string | Uint8Array)[]} args
   * @returns {Promise<Uint8Array[]>}
   */
  async run({ sha, text }, keys, args) {
    const rest = [String(keys.length), ...keys, ...args]
    const [key] = keys
    const said = await this.send(["EVALSHA", sha, ...rest], key).catch((error) => {
      if (wordOf(error) !== "NOSCRIPT") throw error
      return this.send(["EVAL", text, ...rest], key)
    })
    if (!Array.isArray(said) || !said.length) throw garbage()
    return said.map(bytesOf)
  }

  /** Rejects with an {@link UnsureError} unless as many replicas as are wanted have what was written under a key. @param {string} key @param {AbortSignal} [signal] */
  async confirmed(key, signal) {
    if (!this.#wait) return
    let have = 0
    try {
      // WAIT is about what was written before this connection's last command.
      const answers = Promise.all([this.send(["EXISTS", key], key), this.send(["WAIT", String(this.#wait), String(Math.max(1, Math.floor(this.#timeout / 2)))], key)])
      have = Number((await inTime(answers, this.#timeout, signal))[1])
    } catch {} // then none has
    if (!(have >= this.#wait)) throw new UnsureError(`${have} of ${this.#wait} replicas have confirmed it`)
  }

  /** Hears what is published, until the function that it resolves to is called. @param {string} channel @param {(text: string) => void} heard @param {() => void} lost @param {AbortSignal} [signal] */
  async subscribe(channel, heard, lost, signal) {
    /** Those that were begun, and are not wanted. @type {Set<() => void>} */
    const ends = new Set()
    let over = false
    const begin = async () => {
      const end = await this.#connection.subscribe(channel, heard, lost)
      if (over) end() // too late
      else ends.add(end)
      return end
    }
    try {
      const end = await this.try(begin, signal)
      ends.delete(end)
      return end
    } finally {
      over = true
      for (const end of ends) end()
    }
  }

  /** Looks at the servers whenever there is a new connection. */
  async #look() {
    const now = this.#connection.connections()
    if (this.#looked === now) return
    if (!this.#evictionChecked) {
      const told = await this.#connection.everywhere(["INFO", "memory"]).catch((error) => {
        const word = wordOf(error)
        throw word && word !== "NOAUTH" && !passes(error) ? new RefusedError(untold, { cause: error }) : error
      })
      for (const info of told) {
        const policy = /^maxmemory_policy:(\S*)/m.exec(textOf(info))?.[1]
        if (policy !== "noeviction") throw new RefusedError(policy ? evicts : untold)
      }
    }
    await this.#checkLayout()
    this.#looked = now
  }

  async #checkLayout() {
    const key = `${this.prefix}:layout`
    for (let i = 0; i < 2; i++) {
      const is = await this.send(["GET", key], key)
      if (is !== null && textOf(is) === layout) return
      if (is !== null) throw new LayoutError()
      await this.send(["SET", key, layout, "NX"], key)
    }
    throw garbage()
  }
}

/** What a script says after "ok", or the error that it means. @param {Uint8Array[]} words @param {number} count how many there have to be */
export function verdict([first, ...rest], count = 0) {
  switch (textOf(first)) {
    case "ok":
      if (rest.length !== count) throw garbage()
      return rest
    case "taken":
      throw new TakenError()
    case "late":
      throw new SupersededError()
    case "none":
      throw new NotFoundError()
    case "exist":
      throw new ExistsError()
    case "layout":
      throw new LayoutError()
  }
  throw garbage()
}

export function garbage() {
  return new RefusedError("parley: what the server answered is nothing that this version knows")
}

/** @param {unknown} value @returns {Uint8Array} */
export function bytesOf(value) {
  if (value instanceof Uint8Array) return value
  if (typeof value !== "string" && typeof value !== "number") throw garbage()
  return new TextEncoder().encode(String(value))
}

/** @param {unknown} value */
export function textOf(value) {
  return new TextDecoder().decode(bytesOf(value))
}

/** The first word of what a server said; undefined for an error of the connection. @param {unknown} error */
export function wordOf(error) {
  if (!(error instanceof Error) || error instanceof RefusedError || typeof (/** @type {any} */ (error).code) === "string") return
  return /^([A-Z]{2,})(?: |$)/.exec(error.message)?.[1]
}

/** Whether an error may be of the moment: the connection's, or a server's that starts, or has just become a replica. @param {unknown} error */
export function passes(error) {
  const word = wordOf(error)
  if (word) return ["LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY"].includes(word)
  return !(error instanceof RefusedError || error instanceof LayoutError || error instanceof TakenError || error instanceof SupersededError || error instanceof NotFoundError || error instanceof ExistsError || error instanceof TypeError)
}

/** What an error means to whoever runs the server. @param {unknown} error */
export function explained(error) {
  if (!passes(error) && !wordOf(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  const meaning = { OOM: "Redis is full", WRONGTYPE: "a key is not the store's", NOAUTH: "this Redis wants a password", MOVED: "this Redis is one of a cluster, which needs a client for clusters" }[wordOf(error) ?? ""] ?? "Redis"
  return new Error(`parley: ${meaning}: ${said}`, { cause: error })
}

/** Waits for something, but not for ever. @template T @param {Promise<T>} done @param {number} ms @param {AbortSignal} [signal] @returns {Promise<T>} */
async function inTime(done, ms, signal) {
  const over = new AbortController()
  const late = pause(Math.max(0, ms), over.signal, signal).then(() => Promise.reject(new Error("there was no answer in time")))
  late.catch(() => {})
  done.catch(() => {})
  try {
    return await Promise.race([done, late])
  } finally {
    over.abort()
  }
}
