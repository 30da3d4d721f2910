// What a session's calls cost in timers, and that no process stays for one that nobody waits for.
import test from "node:test"

import { Code, connect, fetchTransport, load, requests } from "../dist/node.js"
import { equal } from "./assert.js"
import { deferred, done, response, script } from "./peer.js"

const call = { method: "tools/call", params: { name: "t", arguments: {} } }

/** How many timers a process would stay for. */
const waiting = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

test("calls after one another share a timer, for which no process stays", async (t) => {
  const session = connect(await load(), requests(script(done)))
  const before = waiting()
  const timers = t.mock.method(globalThis, "setTimeout")
  for (let i = 0; i < 20; i++) equal((await session.call(call)).status, "done")
  equal([timers.mock.callCount(), waiting() - before], [1, 0])
  await session.close()
  equal(waiting(), before)
})

test("calls at once have a timer each, and it keeps the process until they end", async () => {
  const { promise: answered, resolve: answer } = deferred()
  const session = connect(await load(), requests(async ({ leg }) => (await answered, response(done, leg))))
  const before = waiting()
  for (let turn = 0; turn < 2; turn++) {
    const calls = [session.call(call), session.call(call), session.call(call)]
    await new Promise(setImmediate)
    if (turn === 0) {
      equal(waiting() - before, 3)
      answer()
    }
    equal((await Promise.all(calls)).map(({ status }) => status), ["done", "done", "done"])
    equal(waiting(), before)
  }
  await session.close()
})

test("a leg runs out of time by the timer that the call before had, whether that goes off too early or too late", async () => {
  for (const before of [5, 60_000]) {
    let answers = true
    const session = connect(await load(), requests(async ({ leg }) => (answers ? response(done, leg) : new Promise(() => {}))))
    equal((await session.call({ ...call, options: { legTimeout: before } })).status, "done")
    answers = false
    const { status, code } = /** @type {any} */ (await session.call({ ...call, options: { legTimeout: 50 } }))
    equal([status, code], ["failed", Code.legTimeout], String(before))
    await session.close()
  }
})

test("a server that does not take note of what it is told last holds nobody up for longer than the bound", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  /** @type {string[]} */
  const log = []
  const fetch = (/** @type {string} */ _, /** @type {RequestInit} */ { method, body, signal }) => {
    log.push(String(body ?? method))
    return new Promise((_, reject) => signal?.addEventListener("abort", () => (log.push("aborted"), reject(signal.reason))))
  }
  const carrier = fetchTransport("http://localhost/", { fetch }).open(() => {})
  carrier.perform({ type: "post", exchange: 1, headers: [], body: "cancel" })
  carrier.perform({ type: "delete", exchange: 2, headers: [] })
  const closed = carrier.close().then(() => log.push("closed"))
  await new Promise(setImmediate)
  equal(log, ["cancel"])
  t.mock.timers.tick(2500)
  await new Promise(setImmediate)
  equal(log, ["cancel", "DELETE"], "which has half of the time")
  t.mock.timers.tick(2499)
  await new Promise(setImmediate)
  equal(log, ["cancel", "DELETE"])
  t.mock.timers.tick(1)
  await closed
  equal(log, ["cancel", "DELETE", "aborted", "aborted", "closed"])
})
