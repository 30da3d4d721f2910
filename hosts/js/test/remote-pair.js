// A page and the host's server in one process, with a connection between them
// that tests can cut, hold and forge.
import { connect, requests } from "../dist/index.js"
import { connectRemote, RemoteHost } from "../dist/remote/index.js"

/** @import { Askers, Engine, Send } from "../dist/index.js" */
/** @import { RemoteOptions, RemoteSettings, Visitor } from "../dist/remote/index.js" */

/** One end of a connection in memory. */
export class End {
  /** @type {Map<string, ((event: any) => void)[]>} */
  #listeners = new Map()
  #closed = false
  /** What it has sent. @type {any[]} */
  sent = []
  /** Decides what becomes of a text: true lets it through. @type {(message: any) => boolean} */
  passes = () => true
  /** @type {End | undefined} */
  other

  /** @param {string} text */
  send(text) {
    if (this.#closed) return
    const message = JSON.parse(text)
    this.sent.push(message)
    if (!this.#closed && this.passes(message)) queueMicrotask(() => this.other?.tell("message", { data: text }))
  }

  /** @param {number} [code] @param {string} [reason] */
  close(code = 1006, reason = "") {
    for (const end of [this, this.other]) queueMicrotask(() => end?.gone(code, reason))
  }

  /** @param {number} code @param {string} reason */
  gone(code, reason) {
    if (this.#closed) return
    this.tell("close", { code, reason })
    this.#closed = true
  }

  /** @param {string} type @param {(event: any) => void} listener */
  addEventListener(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }

  /** @param {string} type @param {any} event */
  tell(type, event) {
    if (!this.#closed) for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }
}

/** @returns {[page: End, host: End]} */
export function pair() {
  const [page, host] = [new End(), new End()]
  page.other = host
  host.other = page
  queueMicrotask(() => page.tell("open", {}))
  return [page, host]
}

/**
 * A page's session, driven by a host whose server is a function.
 *
 * @param {Engine} engine @param {Send} send
 * @param {RemoteOptions & {host?: RemoteHost, settings?: Partial<RemoteSettings>, visitor?: Partial<Visitor>, meet?: (page: End, host: End) => void}} [options]
 */
export function remote(engine, send, { host = undefined, settings, visitor, meet = () => {}, ...options } = {}) {
  const server = host ?? new RemoteHost(settings)
  /** @type {[End, End][]} */
  const lines = []
  const open = () => {
    const line = pair()
    lines.push(line)
    meet(...line)
    server.serve(line[1], { owner: "ann", server: "desk", session: ({ askers, watchers }) => connect(engine, requests(send), { askers, watchers }), ...visitor })
    return line[0]
  }
  return { server, lines, session: connectRemote(open, { retries: [0, 1, 1], ...options }), cut: () => lines.at(-1)?.[0].close() }
}
