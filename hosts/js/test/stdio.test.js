// The stdio transport, against processes that are well and those that are not.
import { isUtf8 } from "node:buffer"
import test from "node:test"

import { Code, connect, load } from "../dist/node.js"
import { stdioTransport } from "../dist/transport/stdio-node.js"
import { contains, equal, ok } from "./assert.js"
import { failed, inEnglish, snapshotOf, until } from "./peer.js"

/** @import { StdioOptions } from "../dist/transport/stdio-node.js" */

/** Answers each line by a script that gets it as `message`. @param {string} script */
const each = (script) => `require("readline").createInterface(process.stdin).on("line", (line) => { const message = JSON.parse(line); ${script} })`

/**
 * A process that runs a script, and what it feeds.
 *
 * @param {string} script @param {Partial<StdioOptions>} [options]
 */
function start(script, options) {
  /** @type {any[]} */
  const events = []
  /** @type {unknown[]} */
  const causes = []
  let wake = () => {}
  const transport = stdioTransport({ command: process.execPath, args: ["-e", script], ...options })
  const carrier = transport.open((event, cause) => {
    events.push(inEnglish("body" in event && isUtf8(/** @type {any} */ (event.body)) ? { ...event, body: String(event.body) } : event))
    causes.push(cause)
    wake()
  })
  return {
    carrier,
    causes,
    /** @param {object | string} body @param {number} [exchange] */
    post: (body, exchange = 1) => carrier.perform({ type: "post", exchange, body: typeof body === "string" ? body : JSON.stringify(body) }),
    /** Waits for so many events, and takes them. @param {number} count */
    async take(count) {
      while (events.length < count) await new Promise((resolve) => (wake = () => resolve(undefined)))
      return events.splice(0)
    },
  }
}

test("lines go both ways, however they are cut", async () => {
  const { carrier, post, take } = start(`
    process.stdin.on("data", (bytes) => process.stdout.write(bytes.subarray(0, 20), () => setTimeout(() => process.stdout.write(Buffer.concat([bytes.subarray(20), Buffer.from("\\n \\r\\n\\n{}\\n[1]\\ncut")])), 20)))`)
  const body = '{"greeting":"größe, grüße, größte","n":1.0}'
  for (let at = 15; at < 25; at++) ok(body.length > at, "cut in the middle")
  post(body)
  equal(await take(4), [body, " \r", "{}", "[1]"].map((body) => ({ type: "message", exchange: 0, body })))
  await carrier.close()
})

test("a process is started for the first message, and anew after it ended", async () => {
  const { carrier, post, take } = start(each(`if (message === "die") process.exit(3); console.log(process.pid)`))
  post('"hello"')
  const [first] = await take(1)
  post('"die"', 2)
  equal(await take(1), [{ type: "down", reason: "exit code 3" }])
  post('"hello"', 3)
  const [second] = await take(1)
  ok(first.body !== second.body, "another process")
  carrier.reset()
  post('"hello"', 4)
  const [third] = await take(1)
  ok(third.body !== second.body, "another process, and nothing more of the one before")
  carrier.perform({ type: "abort", exchange: 4 })
  await carrier.close()
  ok(!alive(Number(third.body)), "it has ended")
})

test("a program that cannot be started got nothing", async () => {
  const { post, take, causes, carrier } = start("", { command: "/nowhere/server" })
  post("{}", 1)
  post("{}", 2)
  const reason = `the server's program cannot be started: "/nowhere/server" was not found`
  equal(await take(2), [{ type: "ended", exchange: 1, reason, unsent: true }, { type: "ended", exchange: 2, reason, unsent: true }])
  equal(/** @type {any} */ (causes[0]).code, "ENOENT")
  post("{}", 3)
  equal(await take(1), [{ type: "ended", exchange: 3, reason, unsent: true }])
  await carrier.close()

  const odd = start("", { command: "odd\0name" })
  odd.post("{}", 1)
  const [{ type, unsent }] = await odd.take(1)
  equal([type, unsent], ["ended", true])

  const engine = await load()
  const session = connect(engine, stdioTransport({ command: "/nowhere/server" }))
  const outcome = failed(await session.call({ method: "tools/call" }))
  equal(/** @type {any} */ (outcome.cause).code, "ENOENT")
  snapshotOf(await session.resume({ snapshot: snapshotOf(outcome, Code.lost) }), Code.lost)
  await session.close()
  equal(engine.live, 0, "live")
})

test("what waits to be written is dropped with what cancels it, and what is being written is not", async () => {
  const { carrier, post, take } = start(`process.stdin.on("data", (bytes) => process.stdout.write(bytes))`)
  post('"first"', 1) // the process is being started
  post('"second"', 2)
  carrier.perform({ type: "post", exchange: 3, cancels: 1, body: '"cancels the first"' })
  equal(await take(1), [{ type: "ended", exchange: 1, unsent: true }])
  equal((await take(1)).map(({ body }) => body), ['"second"'], "nothing else was written before it")
  await carrier.close()

  const slow = start(`process.on("SIGTERM", () => process.exit(3)); require("fs").readSync(0, Buffer.alloc(100)); console.log(process.pid); setInterval(() => {}, 1000)`)
  slow.post('"first"', 1)
  const [{ body }] = await slow.take(1)
  slow.post(JSON.stringify("x".repeat(4 << 20)), 2) // more than goes into the pipe
  slow.carrier.perform({ type: "post", exchange: 3, cancels: 2, body: '"cancels what is being written"' })
  process.kill(Number(body), "SIGTERM")
  const reason = "the server's process ended: exit code 3"
  equal(await slow.take(3), [{ type: "ended", exchange: 2, reason, unsent: true }, { type: "ended", exchange: 3, reason, unsent: true }, { type: "down", reason: "exit code 3" }])
  await slow.carrier.close()
})

test("a call that is canceled before the process reads is not in doubt", async () => {
  const engine = await load()
  const session = connect(engine, stdioTransport({ command: process.execPath, args: ["-e", each("console.log(line)")] }), { known: "2026-07-28" })
  const controller = new AbortController()
  const call = session.call({ method: "tools/call", signal: controller.signal })
  controller.abort()
  const { code, inDoubt } = failed(await call)
  equal([code, inDoubt], [Code.canceled, undefined])
  await session.close()
  equal(engine.live, 0, "live")
})

test("what was not written before the process ended is known not to have been sent", async () => {
  const { carrier, post, take } = start(`process.on("SIGTERM", () => process.exit(3)); require("fs").readSync(0, Buffer.alloc(100)); console.log(process.pid); setInterval(() => {}, 1000)`)
  post('"first"', 1)
  const [{ body }] = await take(1)
  post('"second"', 2) // it goes into the pipe, and nobody reads it
  post(JSON.stringify("x".repeat(4 << 20)), 3) // more than goes in
  post('"behind it"', 4)
  process.kill(Number(body), "SIGTERM")
  const reason = "the server's process ended: exit code 3"
  equal(await take(3), [{ type: "ended", exchange: 3, reason, unsent: true }, { type: "ended", exchange: 4, reason, unsent: true }, { type: "down", reason: "exit code 3" }])
  await carrier.close()
})

test("what was read before the process ended may have been carried out", async () => {
  const { carrier, post, take } = start(
    `let all = ""; console.log("{}"); process.stdin.on("data", (bytes) => (all += bytes).includes('\\n"second"\\n') && process.exit(all.indexOf("s") === (1 << 20) + 7 ? 3 : 4))`,
  )
  post("{}", 1)
  await take(1)
  post(JSON.stringify("x".repeat(1 << 20)), 2) // more than goes into the pipe, so that the others wait
  post('"second"', 3)
  post(JSON.stringify("x".repeat(4 << 20)), 4)
  const reason = "the server's process ended: exit code 3"
  equal(await take(2), [{ type: "ended", exchange: 4, reason, unsent: true }, { type: "down", reason: "exit code 3" }])
  await carrier.close()
})

test("a process that reads no more is ended", async () => {
  const { carrier, post, take } = start(`require("fs").readSync(0, Buffer.alloc(100)); require("fs").closeSync(0); console.log(process.pid); setInterval(() => {}, 1000)`)
  post('"first"', 1)
  const [{ body }] = await take(1)
  post('"second"', 2)
  const said = "it reads no more messages"
  equal(await take(2), [{ type: "ended", exchange: 2, reason: `the server's process ended: ${said}`, unsent: true }, { type: "down", reason: said }])
  await until(() => !alive(Number(body)), "its end")
  await carrier.close()
})

test("what was posted before the end is written", async () => {
  let log = ""
  const { carrier, post } = start(`process.stdin.on("data", (bytes) => console.error(String(bytes).trim()))`, { stderr: (text) => (log += text) })
  for (const n of [1, 2, 3]) post(String(n), n)
  await carrier.close()
  await until(() => log === "1\n2\n3\n", "all of it")
})

test("what is too long ends the process, and what is not UTF-8 is the engine's to judge", async () => {
  const long = start(each('process.stdout.write("x".repeat(5000))'), { maxMessage: 4096 })
  long.post("{}")
  equal(await long.take(1), [{ type: "down", reason: "a message that it sent is longer than 4 KiB (maxMessage)" }])
  await long.carrier.close()
  const odd = start(each("process.stdout.write(Buffer.from([0x7b, 0xff, 0x7d, 10]))"))
  odd.post("{}")
  const [{ type, body }] = await odd.take(1)
  equal([type, ...body], ["message", 0x7b, 0xff, 0x7d])
  await odd.carrier.close()
})

test("a line is what ends in a line feed, or at the end of the output", async () => {
  const { carrier, post, take } = start(each(String.raw`process.stdout.write("\n\r\n 1\t\r\n2"); process.exit(3)`))
  post("{}")
  const said = (await take(4)).map(({ body, reason }) => reason ?? body)
  equal(said, ["\r", " 1\t\r", "2", "exit code 3"])
  await carrier.close()
})

test("the log goes where it is wanted, and the environment is small", async () => {
  process.env.PARLEY_TEST_SECRET = "secret"
  /** @type {string[]} */
  const log = []
  const script = each(`console.error("größe"); console.log(JSON.stringify([process.env.PARLEY_TEST_SECRET ?? null, process.env.PARLEY_TEST_MODE ?? null, process.env.PATH !== undefined, process.cwd()]))`)
  const { carrier, post, take } = start(script, { stderr: (text) => void log.push(text), env: { PARLEY_TEST_MODE: "on" }, cwd: "/" })
  post("{}")
  equal(JSON.parse((await take(1))[0].body), [null, "on", true, "/"])
  await carrier.close()
  await until(() => log.length, "the log")
  equal(log.join(""), "größe\n")
})

test("a process that is to end is let end, then made to", async (t) => {
  const stubborn = `setInterval(() => {}, 1000); process.stdin.on("end", () => console.error("end")); `
  /** What is waited for before the next two seconds pass, and all it says. @type {Record<string, [script: string, says: string[], log: string]>} */
  const tests = {
    "by itself": [`process.stdin.on("end", () => setTimeout(() => { console.error("end"); process.exit() }, 100)); `, [], "end\n"],
    "by SIGTERM": [`${stubborn} process.on("SIGTERM", () => { console.error("term"); process.exit() }); `, ["end\n"], "end\nterm\n"],
    "by SIGKILL": [`${stubborn} process.on("SIGTERM", () => console.error("term")); `, ["end\n", "end\nterm\n"], "end\nterm\n"],
  }
  for (const [name, [script, says, want]] of Object.entries(tests)) {
    let log = ""
    let wake = () => {}
    const heard = async (/** @type {string} */ text) => {
      while (log !== text) await new Promise((resolve) => (wake = () => resolve(undefined)))
    }
    const { carrier, post, take } = start(script + each("console.log(process.pid)"), { stderr: (text) => ((log += text), wake()) })
    post("{}")
    const [{ body }] = await take(1)
    t.mock.timers.enable({ apis: ["setTimeout"] })
    const closed = carrier.close()
    for (const text of says) {
      await heard(text)
      t.mock.timers.tick(1999)
      ok(alive(Number(body)), `${name}: it was made to end too soon`)
      t.mock.timers.tick(1)
    }
    await closed
    t.mock.timers.reset()
    await heard(want)
    ok(!alive(Number(body)), name)
  }
})

test("a server that talks nonsense is no reason to fail", async () => {
  const engine = await load()
  /** @type {string[]} */
  const warnings = []
  const discovered = '{"supportedVersions":["2026-07-28"],"capabilities":{}}'
  const server = each(`console.log("Server is running!"); console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: message.method === "server/discover" ? ${discovered} : { said: "größe" } }))`)
  const session = connect(engine, stdioTransport({ command: process.execPath, args: ["-e", server] }), { watchers: { onWarning: (text) => void warnings.push(text) } })
  const outcome = await session.call({ method: "tools/list" })
  contains(outcome.status === "done" && outcome.result, "größe")
  equal(warnings.length, 2) // a line, told of once, and a list that is none
  await session.close()
  equal(engine.live, 0, "live")
})

/** Whether a process runs. @param {number} pid */
function alive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
