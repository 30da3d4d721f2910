import { readFrame, writeFrame } from "../../dist/engine/frame.js"
import { Engine, ParleyError } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { Exports } from "../corpus/exports.js"
import { answerFrame, answerText, framed, noted, requestFrame, requestText } from "../corpus/frames.js"
import { valued } from "../corpus/hosts.js"
import { readBlocks } from "../corpus/script.js"

/** @import { Env } from "../suite.js" */

const begin = requestFrame('{"type":"begin"}')
const told = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`

/** Frames, as engine/testdata/frames has them and as nobody should write them. @param {Env} env */
export default function frames({ test, module, flowModule, frames, load }) {
  test("vectors of frames, by the names and by the package", async () => {
    const seen = { request: 0, answer: 0, refused: 0 }
    for (const { name, text } of frames) {
      for (const { call, answer } of readBlocks(text).blocks) {
        const [, verb = "", about = "", rest = ""] = /^(\w+) (\w+) ?(.*)$/s.exec(call) ?? []
        if (verb === "request") {
          equal(hex(requestFrame(rest)), bare(answer), `${name}: ${call}`)
          equal(requestText(bytes(answer)), rest, `${name}: ${call}, back`)
          equal(hex(given(valued(rest))), bare(answer), `${name}: ${call}, by the package`)
        } else if (verb === "answer") {
          equal(hex(answerFrame(rest)), bare(answer), `${name}: ${call}`)
          equal(answerText(bytes(answer)), rest, `${name}: ${call}, back`)
          equal(noted(readFrame(bytes(answer))), rest, `${name}: ${call}, by the package`)
        } else if (verb === "refused") {
          const host = new Stage(await flowModule())
          const before = host.state()
          equal(host.send(about, bytes(rest)), answer, `${name}: ${call}`)
          equal(host.state(), before, `${name}: ${call}: the flow stays as it was`)
        } else {
          throw new Error(`${name}: nobody knows ${call}`)
        }
        seen[/** @type {keyof typeof seen} */ (verb)]++
      }
    }
    ok(seen.request > 10 && seen.answer > 10 && seen.refused > 10, JSON.stringify(seen))
  })

  test("a frame that is cut anywhere is refused, and the flow stays as it was", async () => {
    const host = new Stage(await flowModule())
    const before = host.state()
    const whole = requestFrame(`{"type":"response","leg":1,"body":${JSON.stringify(told)}}`)
    for (let size = 0; size < whole.length; size++) contains(host.send("parley_flow_step", whole.subarray(0, size)), '{"error":{"code":2,"detail":"event: ', `${size} bytes`)
    const blob = new TextEncoder().encode(told)
    const n = blob.length
    for (const span of ["[0,4294967295]", "[4294967295,1]", `[${n},1]`, `[0,${n + 1}]`, `[1,${n}]`, "[-1,1]", "[0,-1]", "[0]", "[]", "[0,1,2]", "[0.5,1]", "[1e400,1]", '["0","1"]', "[9007199254740993,1]", '"text"', "null", "{}", "7"]) {
      const answer = host.send("parley_flow_step", framed(`{"type":"response","leg":1,"body":${span}}`, [blob]))
      contains(answer, '{"error":{"code":2,', span)
      contains(answer, '\\"body\\"', span)
    }
    for (const head of ["", "[]", "null", "{", '{"type":"begin"}}', '{"type":"begin"} x', '{"type":"begin","new":1}', '{"type":"begin","type":"begin"}', '{"type":"begin","new":[0,0]}']) {
      contains(host.send("parley_flow_step", framed(head, [])), '{"error":{"code":2,', head)
    }
    for (const length of [begin.length, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const frame = begin.slice()
      new DataView(frame.buffer).setUint32(0, length, true)
      contains(host.send("parley_flow_step", frame), '{"error":{"code":2,', `a head of ${length} bytes`)
    }
    equal(host.state(), before, "the flow stays as it was")
    contains(host.send("parley_flow_step", whole), '{"type":"done"', "it goes on")
  })

  test("10,000 hostile calls end as errors or traps, and what is not theirs is untouched", async () => {
    const compiled = await flowModule()
    let host = new Stage(compiled)
    let [errors, traps] = [0, 0]
    const names = ["parley_flow_new", "parley_flow_step", "parley_flow_restore", "parley_session_new", "parley_session_call", "parley_session_restore", "parley_session_step", "parley_form_check"]
    const random = seeded(20261123)
    const whole = requestFrame(`{"type":"response","leg":1,"body":${JSON.stringify(told)}}`)
    for (let i = 0; i < 10_000; i++) {
      const frame = whole.slice(0, 1 + random(whole.length))
      for (let flips = 1 + random(4); flips > 0; flips--) frame[random(frame.length)] = random(256)
      try {
        host.send(names[i % names.length] ?? "", frame, true)
        errors++
      } catch (trap) {
        if (!(trap instanceof WebAssembly.RuntimeError)) throw trap
        traps++
        host = new Stage(compiled)
      }
    }
    equal(errors + traps, 10_000)
    equal(host.bystander(), host.before, "a flow beside them")
  })

  test("what is neither text nor bytes is refused before anything is called", async () => {
    const engine = await load()
    const { session, call } = begun(engine)
    const before = session.snapshot(call)
    for (const body of [5, null, [0, 0], {}, true, "\ud800"]) {
      const error = await thrown(() => session.step(1, { type: "message", exchange: 1, body: /** @type {any} */ (body), last: true }), String(body))
      ok(error instanceof ParleyError && error.code === 2, `${error}`)
    }
    equal(session.snapshot(call), before)
    const bytes = new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":{"t":"größe","lone":"\\ud800","content":[]}}`)
    equal(session.step(2, { type: "message", exchange: 1, body: bytes.subarray(0), last: true }), [{ type: "done", result: '{"t":"größe","lone":"\\ud800","content":[]}', call }])
    session.free()
    equal(engine.live, 0, "live")
  })

  test("a response may come in parts, and the result is where the action says", async () => {
    const engine = await load()
    const body = new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":{"t":"größe"}}`)
    for (let cut = 1; cut < body.length; cut++) {
      const { session } = begun(engine)
      equal(session.step(1, { type: "part", exchange: 1, body: body.subarray(0, cut) }), [])
      const [done] = session.step(2, { type: "message", exchange: 1, body: body.subarray(cut), last: true })
      if (done?.type !== "done") throw new Error(JSON.stringify(done))
      const { from, to } = /** @type {import("../../dist/engine/call.js").DoneWithin} */ (/** @type {unknown} */ (done))
      equal(done.result ?? new TextDecoder().decode(body.subarray(from, to)), '{"t":"größe"}', `cut at ${cut}`)
      session.free()
    }
    equal(engine.live, 0, "live")
  })

  test("each session has an instance of its own, up to 64, and one that grew is not used again", async () => {
    const compiled = await module()
    let made = 0
    const { Instance } = WebAssembly
    WebAssembly.Instance = /** @type {any} */ (new Proxy(Instance, { construct: (target, args) => (made++, Reflect.construct(target, args)) }))
    try {
      const engine = new Engine(compiled)
      const sessions = Array.from({ length: 64 }, () => engine.newSession())
      equal(made, 64, "the first session has the instance that is there")
      sessions.push(engine.newSession())
      equal([made, engine.live], [64, 65], "the 65th shares one")
      for (const session of sessions) {
        session.free()
        session.free()
      }
      equal(engine.live, 0, "live")
      const next = engine.newSession()
      equal(made, 64, "the first instance is used again")
      const call = next.call("tools/call", JSON.stringify({ t: "x".repeat(3 << 20) }), { limits: { params: 4 << 20 } })
      next.step(0, { type: "begin", call })
      const grown = engine.instance.memory
      ok(grown > 4 << 20, `its memory: ${grown}`)
      next.free()
      const after = engine.newSession()
      ok(engine.instance.memory < grown, "it was dropped")
      after.free()
      equal([made, engine.live], [65, 0])
    } finally {
      WebAssembly.Instance = Instance
    }
  })
}

/** A flow and a call of a session in one instance, of {"method":"tools/call"}, begun with {"type":"begin"} at 0. */
class Stage {
  #exports
  #flow
  #session
  #beside

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#exports = new Exports(module)
    const handle = (/** @type {string} */ answer) => Number(/:(\d+)\}$/.exec(answer)?.[1])
    this.#flow = handle(this.#exports.give("parley_flow_new", '{"method":"tools/call"}'))
    this.#beside = handle(this.#exports.give("parley_flow_new", '{"method":"tools/call"}'))
    this.#session = handle(this.#exports.give("parley_session_new", "{}"))
    this.#exports.give("parley_session_call", '{"method":"tools/call"}', this.#session)
    this.#exports.give("parley_flow_step", '{"type":"begin"}', this.#flow, 0)
    this.#exports.give("parley_flow_step", '{"type":"begin"}', this.#beside, 0)
    this.#exports.give("parley_session_step", '{"type":"begin","call":1}', this.#session, 0)
    this.before = this.bystander()
  }

  state() {
    return this.#exports.ask("parley_flow_snapshot", this.#flow) + this.#exports.ask("parley_session_snapshot", this.#session, 1) + this.bystander()
  }

  /** A flow that nothing is sent to. */
  bystander() {
    return this.#exports.ask("parley_flow_snapshot", this.#beside)
  }

  /** @param {string} name @param {Uint8Array} frame @param {boolean} [lets] lets go of what it makes */
  send(name, frame, lets) {
    const handles = name === "parley_flow_step" ? [this.#flow, 1] : name === "parley_session_step" ? [this.#session, 1] : /^parley_session_(call|restore)$/.test(name) ? [this.#session] : []
    const answer = answerText(this.#exports.send(name, frame, ...handles))
    const made = /^\{"(flow|session)":(\d+)\}$/.exec(answer)
    if (lets && made) this.#exports.free(made[1] === "flow" ? "parley_flow_free" : "parley_session_free", Number(made[2]))
    return answer
  }
}

/** A session whose one call has sent its request. @param {Engine} engine */
function begun(engine) {
  const session = engine.newSession({ transport: "requests" })
  const call = session.call("tools/call")
  session.step(0, { type: "begin", call })
  return { session, call }
}

/** What the package writes. @param {object} request */
function given(request) {
  let frame = new Uint8Array()
  const size = writeFrame(request, (size) => (frame = new Uint8Array(size)))
  return frame.subarray(0, size)
}

/** @param {string} text hexadecimal, with spaces */
const bare = (text) => text.replace(/ /g, "")

/** @param {string} text */
const bytes = (text) => Uint8Array.from(bare(text).match(/../g) ?? [], (byte) => parseInt(byte, 16))

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Numbers that look random, the same in every run. @param {number} seed */
function seeded(seed) {
  return (/** @type {number} */ below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
}
