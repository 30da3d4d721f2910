import { draw, platform } from "./entropy.js"
import { CodecError, internal, Reason, refused } from "./errors.js"
import { field, FieldReader, text, utf8, whole } from "./fields.js"
import { newKey } from "./key.js"
import { Keyed } from "./keyed.js"
import { Own } from "./own.js"
import { boundState } from "./token.js"

/** @import { CodecOptions } from "./index.js" */
/** @import { ErrorResponse } from "./errors.js" */
/** @import { Call, KeyOptions } from "./keyed.js" */
/** @import { OwnCodec } from "./own.js" */
/** @import { ReplayStore } from "./replay.js" */

/**
 * What seals. Without `keys` and `codec` the Guard makes a key that no other
 * process has and that ends with this one. That is not enough for several
 * instances or workers of a server, nor for one that may restart while a person
 * thinks: their states are refused. Give `keys` and `audience` then.
 *
 * @typedef {object} GuardSource
 * @property {KeyOptions["module"]} module parley-codec.wasm, which has the rules; compile it once for many
 * @property {KeyOptions["keys"]} [keys] the text of a key file; it is copied
 * @property {OwnCodec} [codec] one of your own in place of keys
 */

/**
 * What a Guard is made of; times are milliseconds.
 *
 * @typedef {object} GuardOptions
 * @property {string} [audience] names the service, the same on all its instances, so that a state of one service does not open in another with the same keys; it may be absent only with `processLocal`
 * @property {boolean} [processLocal] the keys were made by this process and no other has them; true if the Guard makes one
 * @property {number} [ttl] how long a round's state may take to come back: a person's time to think; 24 hours if absent, 30 days at most. A longer one has a price: a state that was stolen can be used for longer, every state can be sent again for longer, and `replay` remembers each state that was used for as long
 * @property {number} [maxFlowAge] bounds a whole flow, from its first state; no bound if absent
 * @property {number} [maxRounds] rounds with questions a flow may have: 10 if absent, 255 at most
 * @property {boolean} [requireState] drops answers that come without a state, which any client can strip
 * @property {string[]} [singleUse] tool or prompt names or resource uris whose states open once; a client that sends a request again because the answer was lost is then refused
 * @property {ReplayStore} [replay] needed for `singleUse`
 * @property {() => number} [now] the time of day in Unix milliseconds; Date.now if absent
 */

/**
 * A request between inbound and outbound: opaque, never to go on the wire.
 *
 * @typedef {Uint8Array} Exchange
 */

/**
 * What is known about an answer when a handler wants to use it:
 * `missing`: there is none, or nobody asked for it;
 * `same`: it answers this very question;
 * `changed`: the question was a different one, so ask again;
 * `unpinned`: it came with a state that pins no questions;
 * `unproven`: it came without a state, which any client can strip.
 *
 * @typedef {"missing" | "same" | "changed" | "unpinned" | "unproven"} Verdict
 */

/** @type {Verdict[]} */
const verdicts = ["missing", "same", "changed", "unpinned", "unproven"]

/**
 * A Guard: seals and opens the states of a server under MCP's rules. It checks
 * which request a state belongs to, whose it is, until when it may come back,
 * which questions were asked and how many rounds there were. Fails with a
 * CodecError of Reason.key or Reason.options.
 *
 * @param {GuardSource & CodecOptions & GuardOptions} options
 */
export function createGuard(options) {
  return new Guard(options)
}

/** See {@link createGuard}. */
export class Guard {
  #keyed
  #random
  #now
  #replay
  #own

  /** @param {GuardSource & CodecOptions & GuardOptions} options */
  constructor({ random = platform, now = Date.now, replay, ...options }) {
    this.#random = random
    this.#now = now
    this.#replay = replay
    if (options.singleUse?.length && !replay) throw unusable("singleUse needs a replay store")
    const { module, codec } = options
    this.#own = codec === undefined ? undefined : new Own(codec)
    const keys = keysOf(options, random)
    const request = requestOf({ ...options, processLocal: options.processLocal || (codec === undefined && options.keys === undefined) })
    this.#keyed = new Keyed({ module, keys: keys ?? "" }, (instance, copy) => instance.number([...field(keys === undefined ? keys : copy), ...request], (x, size) => x.parley_guard_new(size)))
    if (keys !== options.keys && typeof keys !== "string") keys?.fill(0)
  }

  /**
   * Opens the state of a request before the server sees it. `params` is the
   * request's params as JSON text, as received; `principal` is null only
   * without authentication (see {@link principal}).
   *
   * The params that come back hold the handler's own state, or none where it
   * set none, and only answers that may be used. Requests that cannot have
   * rounds pass untouched, with a null exchange. A state longer than any token
   * (262,144 characters) is refused before it is looked at. Rejects with a
   * {@link CodecError}: then the request must not be processed, and the client
   * gets the error's `response`.
   *
   * @param {{method: string, params: string, principal: string | null}} request
   * @returns {Promise<{params: string, exchange: Exchange | null}>}
   */
  async inbound({ method, params, principal }) {
    if (principal === undefined) throw new TypeError("parley: name the principal of the request, or null where requests are not authenticated")
    boundState(params)
    const now = this.#now()
    const request = [
      ...field(utf8(method, refused)),
      ...field(utf8(params, refused)),
      ...field(principal === null ? undefined : utf8(principal, refused)),
    ]
    const answer = await this.#answer(request, (x, guard, size) => x.parley_guard_inbound(guard, now, size), refused, async (own, token) => own.open(text(token)))
    const opened = answer.field()
    const exchange = answer.field()?.slice() ?? null
    const id = answer.field()
    if (id) await this.#consume(hex(id), answer.u32() * 1000)
    return { params: opened ? text(opened) : params, exchange }
  }

  /** Marks a state as used before it is released. @param {string} id @param {number} expires */
  async #consume(id, expires) {
    let first
    try {
      first = await this.#replay?.consume(id, expires)
    } catch (cause) {
      throw new CodecError(Reason.replayStore, "replay store", refused, { cause })
    }
    if (first !== true) throw new CodecError(Reason.replayed, "replayed", refused)
  }

  /**
   * Seals the state of a result before it is sent. `exchange` is what inbound
   * gave for the request. Only an InputRequiredResult with questions or a state
   * changes. Rejects with a {@link CodecError}: then the result must not be sent,
   * and the client gets the error's `response`.
   *
   * @param {Exchange | null} exchange
   * @param {string} result JSON text
   */
  async outbound(exchange, result) {
    if (!exchange) return result
    const now = this.#now()
    const request = [...field(exchange), ...field(draw(this.#random, 40)), ...field(utf8(result))]
    const answer = await this.#answer(request, (x, guard, size) => x.parley_guard_outbound(guard, now, size), internal, async (own, plaintext) => utf8(await own.seal(plaintext)))
    const sealed = answer.field()
    return sealed ? text(sealed) : result
  }

  /**
   * The answer to a call. With a codec of one's own that may take two (wasm/CODEC.md):
   * the first says what is to be opened or sealed, the second brings what became of it.
   *
   * @param {Uint8Array[]} request
   * @param {Call} call
   * @param {ErrorResponse} response what a client gets if the instance traps
   * @param {(own: Own, asked: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} turn
   */
  async #answer(request, call, response, turn) {
    const own = this.#own
    if (!own) return new FieldReader(this.#keyed.bytes(request, call, response))
    const made = (/** @type {Uint8Array | undefined} */ brought = undefined) => {
      const answer = new FieldReader(this.#keyed.bytes([...request, ...field(brought)], call, response))
      return { asked: answer.field(), answer }
    }
    const first = made()
    if (!first.asked) return first.answer
    const asked = first.asked.slice()
    first.asked.fill(0)
    return made(await turn(own, asked)).answer
  }

  /**
   * Tells whether the answer under a key of inputResponses answers this
   * question. A handler that asks from the request alone may use `same` only,
   * or accept `unproven` where a wrong answer harms nobody but the client.
   *
   * @param {Exchange} exchange
   * @param {string} key
   * @param {string} method
   * @param {string} [params] of the question, as JSON text
   * @returns {Verdict}
   */
  verdict(exchange, key, method, params) {
    const request = [...field(exchange), ...question(key, method, params)]
    const verdict = this.#keyed.number(request, (x, _, size) => x.parley_guard_verdict(size))
    return /** @type {Verdict} */ (verdicts[verdict])
  }

  /**
   * 16 bytes that stand for a question, however it is spelled. Digests of
   * answers kept from earlier rounds belong in the handler's state: an answer
   * to another question must not be used. Throws a {@link CodecError} of
   * Reason.result on params without a canonical form.
   *
   * @param {string} key of inputRequests
   * @param {string} method
   * @param {string} [params] JSON text
   */
  questionDigest(key, method, params) {
    return this.#keyed.bytes(question(key, method, params), (x, _, size) => x.parley_question(size))
  }

  /**
   * The canonical form of JSON text, in which arguments are bound; undefined if
   * it has none.
   *
   * @param {string} json
   */
  canonical(json) {
    try {
      return text(this.#keyed.bytes([utf8(json)], (x, _, size) => x.parley_canonical(size)))
    } catch (error) {
      if (!(error instanceof CodecError) || error.code !== Reason.malformed) throw error
    }
  }

  /**
   * Replaces the keys; if the new ones cannot be used, nothing changes.
   * Requests under way are sealed with the new ones. A codec of your own has its
   * keys itself.
   *
   * @param {string | Uint8Array} keys
   */
  rekey(keys) {
    if (this.#own) throw unusable("a Guard with a codec of your own has no keys to replace: the codec has them")
    this.#keyed.rekey(keys)
  }

  /** Wipes the keys: every state is refused from here on. */
  close() {
    this.#keyed.close()
  }
}

/** @param {string} detail */
const unusable = (detail) => new CodecError(Reason.options, `unusable options: ${detail}`, internal)

/**
 * The keys of a Guard: those given, a new one if nothing is given that seals,
 * and none beside a codec of one's own.
 *
 * @param {GuardSource & CodecOptions} options @param {import("./entropy.js").Random} random
 */
function keysOf(options, random) {
  const { codec, keys, maxToken } = options
  if (codec !== undefined) {
    if (keys !== undefined) throw unusable("give keys or a codec of your own, not both")
    if (maxToken) throw unusable("maxToken is of keys: a codec of your own bounds its tokens itself")
    return
  }
  if (keys !== undefined) return keys
  for (const name of ["keys", "codec"]) {
    if (name in options) throw unusable(`${name} is undefined: leave it out for a key that only this process has`)
  }
  return newKey({ random })
}

/** The fields of parley_guard_new but for the keys. @param {CodecOptions & GuardOptions} options */
function requestOf({ maxToken = 0, audience = "", ttl = 0, maxFlowAge = 0, maxRounds = 0, processLocal, requireState, singleUse = [] }) {
  return [
    whole("maxToken", maxToken),
    ...field(utf8(audience)),
    seconds("ttl", ttl),
    seconds("maxFlowAge", maxFlowAge),
    whole("maxRounds", maxRounds),
    whole("flags", (processLocal ? 1 : 0) | (requireState ? 2 : 0)),
    whole("singleUse", singleUse.length),
    ...singleUse.flatMap((target) => field(utf8(target))),
  ]
}

/** Rounded up. @param {string} name @param {number} millis */
function seconds(name, millis) {
  return whole(name, millis > 0 ? Math.ceil(millis / 1000) : millis)
}

/** @param {string} key @param {string} method @param {string} [params] */
function question(key, method, params) {
  return [...field(utf8(key)), ...field(utf8(method)), ...field(params === undefined ? undefined : utf8(params))]
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
