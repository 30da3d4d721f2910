import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { requests } from "../parley.js"
import { progressOf, Run } from "../run.js"
import { Sessions } from "../sessions.js"

/** @import { Asker, Askers, Send } from "../parley.js" */
/** @import { Server } from "../sessions.js" */

const engine = await load()
const desk = { label: "Desk", address: "x" }
const call = { id: "1", server: "Desk", address: "x", method: "tools/call", params: '{"name":"deploy"}', title: "deploy", started: 1 }

/** @param {string} member */
const response = (member) => `{"jsonrpc":"2.0","id":1,${member}}`
const asksForFolders = response('"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}')

/** @param {Send} send @param {(ask: Asker) => Askers} [askers] @returns {Sessions<Server>} */
function reaching(send, askers = (ask) => ({ listRoots: ask })) {
  return new Sessions(engine, { clientInfo: undefined, askers, transport: () => requests(send), onWarning: (_, text) => assert.fail(text) })
}

/** @param {Run<Server>} run @param {Asker} ask @param {string} [snapshot] */
const begin = (run, ask, snapshot) => run.begin(ask, (askers) => ({ askers }), () => assert.fail("it waits"), snapshot)

test("a call asks who it was told to ask, and no more than it may", async () => {
  /** @type {string[]} */
  const may = []
  let rounds = 0
  const sessions = reaching(({ capabilities }) => {
    may.push(...Object.keys(JSON.parse(capabilities)))
    return rounds++ ? response('"result":{"content":[]}') : asksForFolders
  })
  const run = new Run(sessions, desk, call)
  const outcome = await begin(run, ({ kind }) => (assert.equal(kind, "roots/list"), '{"roots":[]}'))
  assert.deepEqual([outcome, run.isStopped, run.untouched], [{ status: "done", result: '{"content":[]}', noStore: true }, false, false])
  assert.deepEqual(may, ["roots", "roots"])
})

test("a call that is stopped ends as one that was, and one that somebody else has does not", async () => {
  const sessions = reaching(() => asksForFolders)
  for (const how of /** @type {const} */ (["stop", "abandon"])) {
    const run = new Run(sessions, desk, call)
    const reason = new Error("taken")
    const outcome = await begin(run, () => (how === "stop" ? run.stop() : run.abandon(reason), new Promise(() => {})))
    assert.deepEqual([outcome.status, run.isEnding, run.isStopped], ["failed", true, how === "stop"])
  }
})

test("what is kept of a call that cannot begin stays as it was", async () => {
  const run = new Run(
    reaching(() => assert.fail("it was sent")),
    desk,
    call,
  )
  const outcome = await begin(run, () => assert.fail("it asks"), "of another version")
  assert.equal(run.untouched, true)
  assert.deepEqual([outcome.status, outcome.status === "failed" && outcome.snapshot], ["failed", "of another version"])
})

test("other settings make another session, which keeps what is known of the server", async () => {
  let may = { listRoots: true }
  const sessions = reaching(
    () => response('"result":{"content":[]}'),
    (ask) => (may.listRoots ? { listRoots: ask } : {}),
  )
  const session = () => sessions.use(desk, async (one) => one)
  const first = await session()
  assert.equal(await session(), first)
  may = { listRoots: false }
  assert.notEqual(await session(), first)
})

test("how far a server is", () => {
  assert.deepEqual(progressOf('{"progress":1,"total":4,"message":"Copying"}'), { message: "Copying", done: 1, total: 4 })
  assert.deepEqual(progressOf('{"progress":1,"total":0}'), { message: undefined })
  assert.deepEqual(progressOf('{"progress":1}'), { message: undefined })
})
