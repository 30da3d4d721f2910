// Replays the vectors of codec/testdata/vectors, whose README describes the
// format. Nothing of a platform is used but WebAssembly and WebCrypto, so that
// Node and browsers run this same file.

import { CodecError, createBox, createCodec, createGuard, principal } from "../dist/codec/index.js"

/** @import { Box, Codec, Guard } from "../dist/codec/index.js" */
/** @import { Exchange } from "../dist/codec/guard.js" */

/** The arguments of a call; vectors are the project's own, and each verb knows its own. @typedef {Record<string, any>} Arguments */

/**
 * Runs one vector and returns what went wrong, line by line.
 *
 * @param {WebAssembly.Module} module
 * @param {string} text the file
 * @param {{own?: boolean}} [options] own: guards get a codec that seals with the keys, as one of a server's own
 * @returns {Promise<{calls: number, problems: string[]}>}
 */
export async function replay(module, text, { own = false } = {}) {
  const script = new Script(module, own)
  const lines = text.split("\n")
  const problems = []
  let calls = 0
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ""
    if (line === "" || line.startsWith("#")) continue
    const want = lines[i + 2]
    if (lines[i + 1] !== "----" || want === undefined) throw new Error(`line ${i + 1}: a call is followed by ---- and its answer`)
    const verb = line.split(" ", 1)[0] ?? ""
    const got = await script.call(verb, JSON.parse(line.slice(verb.length)))
    if (got !== want) problems.push(`line ${i + 1}: ${line}\ngot  ${got}\nwant ${want}`)
    calls++
    i += 2
  }
  script.close()
  return { calls, problems }
}

/** The state of a vector while it runs. */
class Script {
  /** @type {Codec | undefined} */
  codec
  /** @type {Box | undefined} */
  box
  /** @type {Guard | undefined} */
  guard
  /** @type {Exchange | null} */
  exchange = null
  token = ""
  suite = "11" // of the key that mints
  random = ""
  now = 0 // Unix s
  store = new Store()
  #module
  #own
  /** @type {{close(): void}[]} */
  #open = []

  /** @param {WebAssembly.Module} module @param {boolean} own */
  constructor(module, own) {
    this.#module = module
    this.#own = own
  }

  /** Runs one call and returns its answer. @param {string} verb @param {Arguments} args */
  async call(verb, args) {
    this.random = args.Random ?? ""
    this.suite = /^parley-key\/1 (..) /m.exec(args.Keys ?? "")?.[1] ?? this.suite
    const run = verbs[verb]
    if (!run) throw new Error(`unknown verb ${verb}`)
    try {
      return encode(await run(this, args))
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
      const answer = { error: error.code, text: error.message }
      return encode(verb === "inbound" || verb === "outbound" ? { ...answer, client: error.response } : answer)
    }
  }

  /**
   * Makes a codec, box or guard, to be closed at the end.
   *
   * @template {{close(): void}} T
   * @param {(options: any) => T} create
   * @param {object} options
   */
  make(create, options) {
    /** @param {Uint8Array} bytes */
    const random = (bytes) => this.#fill(bytes)
    const made = create({ module: this.#module, random, now: () => this.now * 1000, replay: this.store, ...options })
    this.#open.push(made)
    return made
  }

  // Hosts draw all the random bytes a call may need before it; a vector gives
  // those that its suite uses: 11 none for a token, and all a guard's salt.
  // Without any, a guard's result is taken for one that mints nothing.
  /** @param {Uint8Array} bytes */
  #fill(bytes) {
    const given = unhex(this.random)
    const used = this.suite === "11" ? bytes.length - 32 : bytes.length
    if (given.length < used && (given.length > 0 || bytes.length === 32)) throw new Error("the vector gives no more random bytes")
    bytes.set(given)
  }

  /** What a guard seals with. @param {string} keys @param {number} [maxToken] */
  source(keys, maxToken) {
    return this.#own ? { codec: later(this.make(createCodec, { keys, maxToken })) } : { keys, maxToken }
  }

  /** A guard for what needs no keys. */
  get keyless() {
    return (this.guard ??= this.make(createGuard, { keys: "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n", processLocal: true }))
  }

  /** How a token fares: "opened" or the reason. @param {string} token @param {string} context @returns {string} */
  opened(token, context) {
    try {
      made(this.codec).open(token, context)
      return "opened"
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
      return error.reason.split(":", 1)[0] ?? ""
    }
  }

  close() {
    for (const made of this.#open) made.close()
  }
}

/** @type {Record<string, (s: Script, args: Arguments) => unknown>} */
const verbs = {
  codec(s, { Keys, MaxToken }) {
    s.codec = s.make(createCodec, { keys: Keys, maxToken: MaxToken })
    return {}
  },
  async seal(s, args) {
    s.token = made(s.codec).seal(plaintextOf(args), args.Context)
    return { token: await short(s.token) }
  },
  open(s, { Context, Token }) {
    return shown(made(s.codec).open(Token === "@last" ? s.token : Token, Context))
  },
  mutate(s, { Context }) {
    /** @type {Record<string, number>} */
    const counts = {}
    const count = (/** @type {string} */ token) => {
      const result = s.opened(token, Context)
      counts[result] = (counts[result] ?? 0) + 1
    }
    for (let i = 0; i < s.token.length; i++) {
      count(s.token.slice(0, i) + (s.token[i] === "B" ? "A" : "B") + s.token.slice(i + 1))
      count(s.token.slice(0, i))
    }
    return Object.fromEntries(Object.entries(counts).sort())
  },
  insert(s, { Context, Insert }) {
    const at = (/** @type {number} */ n) => s.opened(s.token.slice(0, n) + Insert + s.token.slice(n), Context)
    return { start: at(0), middle: at(s.token.length >> 1), end: at(s.token.length) }
  },
  box(s, { Keys }) {
    s.box = s.make(createBox, { keys: Keys })
    return {}
  },
  "box-seal": (s, args) => ({ box: hex(made(s.box).seal(plaintextOf(args), args.Context)) }),
  "box-open": (s, { Box, Context }) => shown(made(s.box).open(unhex(Box), Context)),
  guard(s, { Keys, MaxToken, Audience, TTL, MaxFlowAge, MaxRounds, ProcessLocal, RequireState, SingleUse }) {
    s.guard = s.make(createGuard, {
      ...s.source(Keys, MaxToken),
      audience: Audience,
      ttl: TTL && TTL * 1000,
      maxFlowAge: MaxFlowAge && MaxFlowAge * 1000,
      maxRounds: MaxRounds,
      processLocal: ProcessLocal,
      requireState: RequireState,
      singleUse: SingleUse,
    })
    return {}
  },
  "break-store"(s) {
    s.store.broken = true
    return {}
  },
  async inbound(s, { Now, Method, Params, Principal }) {
    s.now = Now
    s.store.noted = {}
    s.exchange = null
    const params = Params.replaceAll("@state", () => s.token)
    const opened = await made(s.guard).inbound({ method: Method, params, principal: Principal ?? null })
    s.exchange = opened.exchange
    const answer = { params: opened.params === params ? null : opened.params }
    return { ...answer, ...(s.exchange ? {} : { guarded: false }), ...s.store.noted }
  },
  async outbound(s, { Now, Result }) {
    s.now = Now
    const sealed = await made(s.guard).outbound(s.exchange, Result)
    if (sealed === Result) return { result: null }
    s.token = JSON.parse(sealed).requestState
    return { result: sealed }
  },
  verdict: (s, { Key, Method, Params }) => ({ verdict: made(s.guard).verdict(made(s.exchange), Key, Method, Params) }),
  question: (s, { Key, Method, Params }) => ({ digest: hex(s.keyless.questionDigest(Key, Method, Params)) }),
  principal: (_, { Client = null, Issuer = null, Subject = null }) => ({ principal: principal(Client, Issuer, Subject) }),
  canonical: (s, { JSON: json }) => ({ canonical: s.keyless.canonical(json) ?? null }),
}

/** Wraps the codec: it answers asynchronously and overwrites its input. @param {Codec} codec @returns {import("../dist/codec/index.js").OwnCodec} */
function later(codec) {
  return {
    async seal(plaintext, context) {
      const token = codec.seal(plaintext, context)
      await undefined
      plaintext.fill(7)
      context.fill(7)
      return token
    },
    async open(token, context) {
      await undefined
      return codec.open(token, context)
    },
  }
}

/** What a call before this one has to have made. @template T @param {T | null | undefined} value */
function made(value) {
  if (!value) throw new Error("the vector uses what it has not made")
  return value
}

/** The replay store of a vector. */
class Store {
  broken = false
  /** @type {{consume?: string, expires?: number}} */
  noted = {}
  /** @type {Set<string>} */
  #ids = new Set()

  /** @param {string} id @param {number} expires */
  async consume(id, expires) {
    if (this.broken) throw new Error("broken")
    this.noted = { consume: id, expires: expires / 1000 }
    return this.#ids.size < this.#ids.add(id).size
  }
}

/** @param {Arguments} args */
function plaintextOf({ Plaintext = "", Hex, Repeat }) {
  if (Hex !== undefined) return unhex(Hex)
  return new TextEncoder().encode(Repeat === undefined ? Plaintext : "x".repeat(Repeat))
}

/** A plaintext: as text if it is printable ASCII, else as hexadecimal. @param {Uint8Array} plaintext */
async function shown(plaintext) {
  if (plaintext.some((byte) => byte < 0x20 || byte > 0x7e)) return { hex: hex(plaintext) }
  return { plaintext: await short(new TextDecoder().decode(plaintext)) }
}

/** A text, or its length and SHA-256 where it is long. @param {string} text */
async function short(text) {
  if (text.length <= 2000) return text
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return `${text.length} characters, sha256 ${hex(new Uint8Array(sum))}`
}

/** A line of JSON, with the two separators escaped that Go escapes. @param {unknown} answer */
function encode(answer) {
  return JSON.stringify(answer).replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"))
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** @param {string} text */
function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
