import { CodecError, Context, createBox, createCodec, createGuard, MemoryReplayStore, newKey, principal, Reason } from "../dist/codec/index.js"
import { testCodec } from "../dist/codec/kit/index.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { replay } from "./codec-vectors.js"
import { foreign } from "./modules.js"

/** @import { Guard } from "../dist/codec/index.js" */
/** @import { GuardOptions } from "../dist/codec/guard.js" */

/**
 * What the codec's tests get: Node, a page and a worker give them alike.
 *
 * @typedef {object} CodecEnv
 * @property {(name: string, run: () => unknown) => void} test
 * @property {() => Promise<Uint8Array<ArrayBuffer>>} codecWasm parley-codec.wasm
 * @property {() => Promise<Uint8Array<ArrayBuffer>>} engineWasm parley.wasm
 * @property {{name: string, text: string}[]} vectors of codec/testdata/vectors
 */

const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
const others = "parley-key/1 11 ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8\n"

const frozen = { code: -32602, message: "Invalid or expired requestState", data: { reason: "invalid_request_state" } }
const internal = { code: -32603, message: "Internal error" }

const call = '{"name":"get_weather","arguments":{"city":"Oslo"}}'
const asking = '{"resultType":"input_required","requestState":"step 1"}'
const t0 = 1_800_000_000_000

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text)
/** @param {Uint8Array} bytes */
const text = (bytes) => new TextDecoder().decode(bytes)

/** Registers the codec's tests. @param {CodecEnv} env */
export function codecSuite({ test, codecWasm, engineWasm, vectors }) {
  const compile = once(codecWasm)

  /** @param {Partial<import("../dist/codec/keyed.js").KeyOptions & import("../dist/codec/index.js").CodecOptions & GuardOptions>} [options] */
  const make = async (options) => createGuard({ module: await compile(), keys, audience: "weather", now: () => t0, ...options })

  test("there are vectors", () => ok(vectors.length > 50, `got ${vectors.length} files`))
  for (const { name, text } of vectors) {
    /** @param {{own?: boolean}} [options] */
    const run = async (options) => {
      const { calls, problems } = await replay(await compile(), text, options)
      equal(problems.join("\n"), "", "problems")
      ok(calls > 0, "calls made")
    }
    test(`vector ${name}`, () => run())
    if (name.startsWith("guard-")) test(`vector ${name}, with a codec of the server's own`, () => run({ own: true }))
  }

  testCodec((name, run) => test(`the default codec, by the kit: ${name}`, run), async () => {
    const module = await compile()
    return { codec: createCodec({ module, keys }), other: createCodec({ module, keys: others }) }
  })

  test("a codec, from bytes and from a module", async () => {
    for (const module of [await compile(), await codecWasm()]) {
      const codec = createCodec({ module, keys: bytes(keys) })
      const token = codec.seal(bytes("hello"), Context.guard)
      equal(token, "Ectyi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04", "token")
      equal(text(codec.open(token, bytes(Context.guard))), "hello", "plaintext")
      await refuses(Reason.forged, () => codec.open(token, Context.sdk))
      await refuses(Reason.malformed, () => codec.open(`${token.slice(0, -1)}\ud800`, Context.guard))
    }
  })

  test("what a caller hands over is copied, what it gets is its own", async () => {
    const shared = bytes(keys)
    const codec = createCodec({ module: await compile(), keys: shared.subarray(0) })
    shared.fill(0)
    const plaintext = bytes("hello")
    const token = codec.seal(plaintext, Context.guard)
    equal(text(plaintext), "hello", "the caller's plaintext")
    const opened = codec.open(token, Context.guard)
    codec.seal(bytes("other"), Context.guard)
    equal(text(opened), "hello", "plaintext, after another call")
  })

  test("a box's tags are of each key that can seal, and always alike", async () => {
    const of = (/** @type {string} */ keys, /** @type {WebAssembly.Module} */ module) => createBox({ module, keys })
    const tags = (/** @type {ReturnType<typeof of>} */ box) => box.tags(bytes("ann"), "parley-principal/1").map((tag) => tag.join())
    const [first] = tags(of(keys, await compile()))
    const box = of(others, await compile())
    const [second] = tags(box)
    ok(first !== second, "tags of two keys")
    equal(box.seal(bytes("ann"), "parley-principal/1").join(), second, "what seals")
    box.rekey(`# what seals\n\n${others}# what did\n${keys}`)
    equal(tags(box), [second, first], "tags after a rotation")
    equal(tags(of(`${keys}parley-key/1 21 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`, await compile())), [first], "tags beside a key of tokens")
    box.close()
    await refuses(Reason.instance, () => box.tags(bytes("ann"), ""), internal)
  })

  test("two guards never mint the same token", async () => {
    const [a, b] = [await make(), await make()]
    const tokens = new Set()
    for (const guard of [a, a, b, b]) tokens.add((await round(guard)).token)
    equal(tokens.size, 4, "different tokens")
  })

  test("a key made here, the platform's clock and its randomness are enough", async () => {
    equal(newKey({ random: (bytes) => void bytes.fill(255) }), bytes(`parley-key/1 11 ${"_".repeat(42)}8\n`), "key")
    const key = newKey()
    ok(text(key) !== text(newKey()), "two keys differ")
    const guard = createGuard({ module: await compile(), keys: key, processLocal: true })
    const { params } = await (await round(guard)).open()
    equal(JSON.parse(params).requestState, "step 1", "state")
  })

  test("randomness that fails mints nothing", async () => {
    const down = new Error("no device")
    const guard = await make({
      random: () => {
        throw down
      },
    })
    const error = await refuses(Reason.random, () => round(guard), internal)
    ok(error.cause === down, "the cause")
  })

  test("an exchange begun with one guard ends with another", async () => {
    const state = await round(await make(), await make())
    equal(JSON.parse((await state.open()).params).requestState, "step 1", "state")
  })

  test("keys are rotated under way: accept the new one, mint with it, drop the old one", async () => {
    const guard = await make()
    const old = await round(guard)
    guard.rekey(keys + others)
    guard.rekey(others + keys)
    const young = await round(guard)
    await old.open()
    equal((await thrown(() => guard.rekey("parley-key/1 11 short\n"), "unusable keys")).code, Reason.key, "code")
    await young.open()
    guard.rekey(others)
    await young.open()
    await refuses(Reason.unknownKey, old.open)
  })

  test("a principal has to be named, and binds", async () => {
    const guard = await make()
    ok((await thrown(() => guard.inbound(/** @type {any} */ ({ method: "tools/call", params: call })), "no principal")) instanceof TypeError, "a TypeError")
    const ann = principal(null, null, "ann")
    const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: ann })
    const params = answered(await guard.outbound(exchange, asking))
    await guard.inbound({ method: "tools/call", params, principal: ann })
    for (const other of [null, "", "ann", principal(null, "ann", null)]) {
      await refuses(Reason.principal, () => guard.inbound({ method: "tools/call", params, principal: other }))
    }
  })

  test("principals are spelled as package codec spells them", async () => {
    equal(principal("app", null, "ann"), '["app",null,"ann"]', "principal")
    equal(principal('"\\', "\b\f\n\r\t\u0001", "é\u2028😀\\b"), '["\\"\\\\","\\u0008\\u000c\\n\\r\\t\\u0001","é\u2028😀\\\\b"]', "principal")
    await refuses(Reason.malformed, () => principal(null, null, "\ud800"), internal)
  })

  test("a state that may be used once is refused the second time", async () => {
    const used = new Set()
    const stores = {
      "in memory": new MemoryReplayStore({ now: () => t0 }),
      "far away": { consume: async (/** @type {string} */ id) => used.size < used.add(id).size },
    }
    for (const [name, replay] of Object.entries(stores)) {
      const state = await round(await make({ singleUse: ["get_weather"], replay }))
      equal(JSON.parse((await state.open()).params).requestState, "step 1", name)
      await refuses(Reason.replayed, state.open)
    }
  })

  test("a replay store that fails or forgets to answer refuses", async () => {
    const down = new Error("down")
    const failing = await round(await make({ singleUse: ["get_weather"], replay: { consume: () => Promise.reject(down) } }))
    ok((await refuses(Reason.replayStore, failing.open)).cause === down, "the cause")
    const silent = await round(await make({ singleUse: ["get_weather"], replay: { consume: /** @type {any} */ (() => {}) } }))
    await refuses(Reason.replayed, silent.open)
    await refuses(Reason.options, () => make({ singleUse: ["get_weather"] }), internal)
  })

  test("the replay store in memory is bounded, and forgets what has expired", async () => {
    let now = t0
    const store = new MemoryReplayStore({ most: 2, now: () => now })
    equal([store.consume("a", t0 + 10), store.consume("b", t0 + 20), store.consume("a", t0 + 10)], [true, true, false], "first")
    contains((await thrown(() => store.consume("c", t0 + 30), "a full store")).message, "full")
    now = t0 + 10
    equal([store.consume("c", t0 + 30), store.size], [true, 2], "first, size")
  })

  test("the replay store in memory refuses what has expired by its clock", async () => {
    const store = new MemoryReplayStore({ now: () => t0 })
    for (const expires of [t0, t0 - 1, NaN]) contains((await thrown(() => store.consume("a", expires), "an expired id")).message, "expired by")
    equal([store.size, store.consume("a", t0 + 1), store.consume("a", t0 + 1)], [0, true, false], "size, first")
    const state = await round(await make({ singleUse: ["get_weather"], replay: new MemoryReplayStore({ now: () => t0 + 2 * 86_400_000 }) }))
    await refuses(Reason.replayStore, state.open)
  })

  test("the replay store in memory lets nothing through twice when the clock jumps ahead and back", async () => {
    let now = t0
    const store = new MemoryReplayStore({ now: () => now })
    equal([store.consume("a", t0 + 10), store.consume("b", t0 + 20)], [true, true], "first")
    now = t0 + 86_400_000
    equal([store.consume("c", now + 10), store.size], [true, 1], "first, size")
    now = t0
    for (const [id, life] of /** @type {const} */ ([["a", 10], ["b", 20]])) contains((await thrown(() => store.consume(id, t0 + life), "what is forgotten")).message, "expired by")
    equal([store.consume("d", t0 + 21), store.consume("d", t0 + 21), store.consume("c", t0 + 86_400_010)], [true, false, false], "first")
  })

  test("the replay store in memory forgets what has expired wherever it stands", async () => {
    let now = t0
    const full = new MemoryReplayStore({ most: 2, now: () => now })
    equal([full.consume("late", t0 + 1000), full.consume("early", t0 + 10)], [true, true], "first")
    now = t0 + 10
    equal([full.consume("next", t0 + 1000), full.consume("late", t0 + 1000)], [true, false], "first")
    contains((await thrown(() => full.consume("one more", t0 + 1000), "a full store")).message, "full")

    now = t0
    const store = new MemoryReplayStore({ now: () => now })
    const life = (/** @type {number} */ i) => 1 + ((i * 7919) % 1000) // every one from 1 to 1000
    for (let i = 0; i < 1000; i++) store.consume(`${i}`, t0 + life(i))
    for (const [passed, left] of [[1, 999], [2, 998], [500, 500], [501, 499], [990, 10], [1000, 0]]) {
      now = t0 + Number(passed)
      store.consume(`at ${passed}`, now + 1)
      equal(store.size, Number(left) + 1, `kept after ${passed} ms`)
      for (let i = 0; i < 1000; i += 37) if (now < t0 + life(i)) ok(!store.consume(`${i}`, t0 + life(i)), `${i} is remembered`)
    }
  })

  test("times are milliseconds", async () => {
    let now = t0
    const state = await round(await make({ now: () => now, ttl: 60_000 }))
    now = t0 + 59_999
    await state.open()
    now = t0 + 60_000
    await refuses(Reason.expired, state.open)
  })

  test("options that cannot be used are refused", async () => {
    const unusable = [
      { audience: undefined },
      { ttl: -1 },
      { ttl: NaN },
      { ttl: 31 * 86_400_000 },
      { maxFlowAge: Infinity },
      { maxRounds: 256 },
      { maxRounds: 1.5 },
      { maxToken: 1 << 20 },
    ]
    for (const options of unusable) equal((await thrown(() => make(options), "options")).code, Reason.options, JSON.stringify(options))
  })

  test("the canonical form tells numbers apart that JSON.parse does not", async () => {
    const guard = await make()
    equal(guard.canonical('{"b":1.0,"a":9007199254740993}'), '{"a":9007199254740993,"b":1}', "canonical")
    equal(guard.canonical('{"a":1,"a":1}'), undefined, "canonical")
  })

  test("a closed guard refuses everything", async () => {
    const guard = await make()
    const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
    guard.close()
    guard.close()
    await refuses(Reason.instance, () => guard.inbound({ method: "tools/call", params: call, principal: null }))
    await refuses(Reason.instance, () => guard.outbound(exchange, asking), internal)
  })

  test("after a trap a new instance goes on", async () => {
    const module = await compile()
    // More than any module has room for.
    const huge = Object.defineProperty(new Uint8Array(1), "length", { value: 2 ** 31 })
    const instances = await made(async () => {
      const box = createBox({ module, keys })
      const sealed = box.seal(bytes("hello"), Context.snapshot)
      await refuses(Reason.instance, () => box.seal(huge, Context.snapshot), internal)
      equal(text(box.open(sealed, Context.snapshot)), "hello", "plaintext")
      await refuses(Reason.instance, () => box.open(huge, Context.snapshot))
      equal(text(box.open(sealed, Context.snapshot)), "hello", "plaintext")
    })
    equal(instances.length, 3, "instances")
    for (const { exports } of instances.slice(0, 2)) ok(isZero(exports), "memory of the instance that trapped is zero")
  })

  test("a token too long for any codec does not get into the instance", async () => {
    const module = await compile()
    const instances = await made(async () => {
      const codec = createCodec({ module, keys })
      const own = await refuses(Reason.tooLarge, () => codec.open("A".repeat(262_144), Context.guard))
      const early = await refuses(Reason.tooLarge, () => codec.open("A".repeat(1 << 26), Context.guard))
      equal(early.message, own.message, "message")
    })
    equal(instances.map(({ exports }) => sizeOf(exports) <= 4 << 20), [true], "instances that stayed small")
  })

  test("nor does a requestState, however it is spelled", async () => {
    const instances = await made(async () => {
      const guard = await make()
      for (const character of ["A", "\\u0041", "\u00e9"]) {
        const params = `{"name":"get_weather","requestState":"${character.repeat((16 << 20) / character.length)}"}`
        const refused = await refuses(Reason.tooLarge, () => guard.inbound({ method: "tools/call", params, principal: null }))
        equal(refused.reason, "too large", "reason")
      }
    })
    equal(instances.map(({ exports }) => sizeOf(exports) <= 4 << 20), [true], "instances that stayed small")
  })

  test("an instance that grew large is wiped and replaced", async () => {
    const module = await compile()
    const large = new Uint8Array(5 << 20).fill(0x61)
    const long = JSON.stringify(text(large))
    /** @type {Record<string, (used: {guard: Guard, box: import("../dist/codec/index.js").Box, exchange: Uint8Array}) => unknown>} */
    const calls = {
      "what is sealed": ({ box }) => equal(box.open(box.seal(large, Context.snapshot), Context.snapshot).length, large.length, "bytes"),
      "a request": ({ guard }) => guard.inbound({ method: "tools/call", params: `{"name":"get_weather","arguments":{"city":${long}}}`, principal: null }),
      "a canonical form": ({ guard }) => equal(guard.canonical(long)?.length, long.length, "characters"),
      "a question": ({ guard }) => equal(guard.questionDigest("k", "elicitation/create", long).length, 16, "bytes"),
      "a verdict": ({ guard, exchange }) => equal(guard.verdict(exchange, "k", "elicitation/create", long), "missing", "verdict"),
      "what is refused": ({ box }) => refuses(Reason.unknownKey, () => box.open(large, Context.snapshot)),
    }
    for (const [name, use] of Object.entries(calls)) {
      const instances = await made(async () => {
        const guard = await make()
        const box = createBox({ module, keys })
        const state = await round(guard)
        const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
        if (!exchange) throw new Error("no exchange")
        await use({ guard, box, exchange })
        equal(JSON.parse((await state.open()).params).requestState, "step 1", `state, after ${name}`)
        equal(text(box.open(box.seal(bytes("hello"), Context.snapshot), Context.snapshot)), "hello", `plaintext, after ${name}`)
      })
      const grown = instances.filter(({ exports }) => sizeOf(exports) > 4 << 20)
      ok(grown.length > 0 && grown.every(({ exports }) => isZero(exports)), `${name}: memory of ${grown.length} instances that grew is zero`)
      equal(instances.length - grown.length, 2, `${name}: instances in use`)
    }
  })

  test("nothing is left in a closed instance", async () => {
    const module = await compile()
    const plaintext = bytes("a plaintext that is to be gone")
    const instances = await made(async () => {
      const codec = createCodec({ module, keys })
      codec.open(codec.seal(plaintext, Context.guard), Context.guard)
      codec.close()
      const box = createBox({ module, keys })
      equal(text(box.open(box.seal(plaintext, Context.snapshot), Context.snapshot)), text(plaintext), "plaintext")
      box.close()
    })
    equal(instances.length, 2, "instances")
    for (const { exports } of instances) ok(isZero(exports), "memory is zero")
  })

  test("a guard holds one handle, however much it does", async () => {
    const instances = await made(async () => {
      const guard = await make()
      for (let i = 0; i < 100; i++) await (await round(guard)).open()
    })
    equal(instances.map(({ exports }) => /** @type {any} */ (exports).parley_live()), [1], "handles live")
  })

  test("a module of another kind or version is refused by name", async () => {
    contains((await thrown(() => createCodec({ module: foreign(7), keys }), "version 7")).message, /version 7, this package version 3/)
    contains((await thrown(() => createCodec({ module: foreign(), keys }), "another module")).message, "not Parley's")
    const engine = await engineWasm()
    contains((await thrown(() => createCodec({ module: engine, keys }), "the engine")).message, "use parley-codec.wasm")
  })
}

/** Compiles a module the first time it is asked for. @param {() => Promise<Uint8Array<ArrayBuffer>>} wasm */
function once(wasm) {
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let compiled
  return () => (compiled ??= wasm().then((bytes) => WebAssembly.compile(bytes)))
}

/** A request that was answered: its token, and what opens it. @param {Guard} guard @param {Guard} [other] which opens */
async function round(guard, other = guard) {
  const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
  const sealed = await other.outbound(exchange, asking)
  const open = () => other.inbound({ method: "tools/call", params: answered(sealed), principal: null })
  return { token: JSON.parse(sealed).requestState, open }
}

/** The params that come back with a result's state. @param {string} result */
function answered(result) {
  return JSON.stringify({ ...JSON.parse(call), requestState: JSON.parse(result).requestState })
}

/** Fails unless the call does, for the reason and with the client's answer. @param {number} reason @param {() => unknown} call @param {object} response */
async function refuses(reason, call, response = frozen) {
  const error = await thrown(call, `reason ${reason}`)
  ok(error instanceof CodecError, `a CodecError: ${error}`)
  equal([error.code, error.response], [reason, response], "code, response")
  return error
}

/** The instances made while a function runs. @param {() => unknown} run */
async function made(run) {
  const { Instance } = WebAssembly
  /** @type {WebAssembly.Instance[]} */
  const instances = []
  WebAssembly.Instance = class extends Instance {
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
    constructor(module, imports) {
      super(module, imports)
      instances.push(this)
    }
  }
  try {
    await run()
  } finally {
    WebAssembly.Instance = Instance
  }
  return instances
}

/** @param {WebAssembly.Exports} exports */
function isZero({ memory }) {
  return new Uint8Array(/** @type {WebAssembly.Memory} */ (memory).buffer).every((byte) => byte === 0)
}

/** The bytes of an instance's memory. @param {WebAssembly.Exports} exports */
function sizeOf({ memory }) {
  return /** @type {WebAssembly.Memory} */ (memory).buffer.byteLength
}
