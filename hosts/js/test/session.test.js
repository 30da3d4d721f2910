// Sessions against servers that are not ours: the official TypeScript SDK of MCP
// 2026-07-28, and the one of the era before, over HTTP and stdio.
import test from "node:test"

import { Code, connect, load, PARK } from "../dist/node.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { failed, sleep, snapshotOf, until } from "./peer.js"
import { reach } from "./servers/start.js"

/** @import { ConnectOptions, Outcome, Question, Server } from "../dist/node.js" */

const roots = { roots: [{ uri: "file:///srv/project", name: "project" }] }
const model = { role: "assistant", content: { type: "text", text: "hello" }, model: "m" }
const form = { action: "accept", content: { name: "Ann" } }

/** What the tools of the servers say when each question was answered so. @type {Record<string, object[]>} */
const stories = { form: [form], url: [{ action: "accept" }], sample: [model], roots: [roots], all: [form, model, roots] }

/** Askers that answer everything, and what was asked. @param {ConnectOptions["watchers"]} [watchers] */
function host(watchers) {
  /** @type {string[]} */
  const asked = []
  /** @param {object} answer */
  const answers = (answer) => (/** @type {Question} */ { kind, mode }) => (asked.push(mode ?? kind), answer)
  const askers = { elicit: answers(form), elicitURL: answers({ action: "accept" }), sample: answers(model), listRoots: answers(roots) }
  /** @type {ConnectOptions} */
  const options = { clientInfo: { name: "parley-test", version: "0" }, askers, watchers }
  return { options, asked }
}

for (const era of /** @type {const} */ (["modern", "earlier"])) {
  for (const kind of /** @type {const} */ (["http", "stdio"])) {
    test(`a server of the ${era} SDK over ${kind}`, async (t) => {
      const engine = await load()
      const { transport, stop, ended } = await reach(era, kind)
      t.after(stop)

      await t.test("every kind of question", async () => {
        /** @type {Server[]} */
        const ready = []
        const { options, asked } = host({ onReady: (server) => void ready.push(server) })
        const session = connect(engine, transport(), options)
        for (const [name, want] of Object.entries(stories)) equal(said(await session.call({ method: "tools/call", params: { name, arguments: {} } })), want, name)
        equal(asked, ["form", "url", "sampling/createMessage", "roots/list", "form", "sampling/createMessage", "roots/list"])
        const list = await session.call({ method: "tools/list" })
        contains(list.status === "done" && list.result, '"name":"form"')
        equal(ready.map(({ version }) => version), [era === "modern" ? "2026-07-28" : "2025-11-25"])
        if (era === "earlier" || kind === "stdio") equal([JSON.parse(ready[0]?.serverInfo ?? "{}").name, ready[0]?.instructions], [era, "Ask away."])
        await session.close()
      })

      await t.test("calls at once", async () => {
        const { options } = host()
        const session = connect(engine, transport(), options)
        const outcomes = await Promise.all(Object.keys(stories).map((name) => session.call({ method: "tools/call", params: { name, arguments: {} } })))
        equal(outcomes.map(said), Object.values(stories))
        await session.close()
      })

      await t.test("an answer that cannot be sent is asked for again", async () => {
        const { options } = host()
        const session = connect(engine, transport(), options)
        /** @type {(string | undefined)[]} */
        const problems = []
        const elicit = (/** @type {Question} */ { problem }) => (problems.push(problem), problem === undefined ? { action: "accept", content: { name: "" } } : { action: "decline" })
        equal(said(await session.call({ method: "tools/call", params: { name: "form", arguments: {} }, askers: { elicit } })), [{ action: "decline" }])
        contains(problems[1], "name")
        await session.close()
      })

      await t.test("an abort reaches the server", async () => {
        const session = connect(engine, transport(), host().options)
        const controller = new AbortController()
        /** @type {string[]} */
        const progress = []
        const onProgress = (/** @type {number} */ _, /** @type {string} */ params) => {
          progress.push(JSON.parse(params).message)
          controller.abort()
        }
        const outcome = await session.call({ method: "tools/call", params: { name: "hang", arguments: {} }, watchers: { onProgress }, signal: controller.signal })
        equal([failed(outcome).code, progress], [Code.canceled, ["hanging"]])
        snapshotOf(await session.resume({ snapshot: snapshotOf(outcome, Code.canceled) }), Code.inDoubt)
        await until(async () => said(await session.call({ method: "tools/call", params: { name: "canceled", arguments: {} } })) === 1, "the server was told")
        await session.close()
      })

      await t.test("a call stops in one session and goes on in another", async () => {
        const [first, second] = [host(), host()]
        const [here, there] = [connect(engine, transport(), first.options), connect(engine, transport(), second.options)]
        const labels = { peer: "server", principal: "ann" }
        /** @type {(string | undefined)[]} */
        const problems = []
        const sample = (/** @type {Question} */ { problem }) => (problems.push(problem), problem === undefined ? PARK : model)
        const outcome = await here.call({ method: "tools/call", params: { name: "all", arguments: {} }, options: labels, askers: { ...first.options.askers, sample } })
        if (era === "modern") {
          equal(said(await there.resume({ snapshot: snapshotOf(outcome), expect: labels })), stories.all)
          equal(second.asked, ["sampling/createMessage", "roots/list"])
        } else {
          equal(said(outcome), stories.all, "the server waits, so the call cannot stop")
          ok(problems.length === 2 && problems[1], "the person is told")
        }
        await here.close()
        await there.close()
      })

      await t.test("a call that ends with its session goes on in another", async () => {
        const { options, asked } = host()
        const [here, there] = [connect(engine, transport(), options), connect(engine, transport(), options)]
        const running = here.call({ method: "tools/call", params: { name: "form", arguments: {} }, askers: { elicit: () => (setTimeout(() => here.close()), new Promise(() => {})) } })
        const snapshot = snapshotOf(await running, Code.canceled)
        const outcome = await there.resume({ snapshot })
        // A server that asks by a request of its own may have done something.
        equal(said(era === "modern" ? outcome : await there.resume({ snapshot: snapshotOf(outcome, Code.inDoubt), resend: true })), stories.form)
        equal(asked, ["form"])
        await here.close()
        await there.close()
      })

      await t.test("a server that dies in a call leaves it in doubt", async () => {
        const session = connect(engine, transport(), host().options)
        const outcome = failed(await session.call({ method: "tools/call", params: { name: "die", arguments: {} } }))
        equal([outcome.code, outcome.resumable, outcome.cause instanceof Error], [Code.inDoubt, true, true])
        await ended
        await sleep(50) // it is known by now that its connections are closed
        const next = await session.call({ method: "tools/call", params: { name: "form", arguments: {} } })
        if (kind === "stdio") {
          contains(outcome.detail, "exit code 3")
          equal(said(next), stories.form, "in a new process")
        } else {
          snapshotOf(next, Code.lost) // nothing listens there, so nothing was sent
        }
        await session.close()
      })

      equal(engine.live, 0, "live")
    })
  }
}

test("what only a server with sessions over HTTP does", async (t) => {
  const engine = await load()
  const { transport, stop } = await reach("earlier", "http")
  t.after(stop)
  const { options, asked } = host()

  await t.test("it asks on the stream of the session", async () => {
    /** @type {string[]} */
    const notes = []
    const session = connect(engine, transport(), { ...options, watchers: { onNotification: (method, params) => void notes.push(`${method} ${params}`) } })
    asked.length = 0
    equal(said(await session.call({ method: "tools/call", params: { name: "all", arguments: { aside: true } } })), stories.all)
    equal(asked.length, 3)
    await until(() => notes.length, "the note")
    equal(notes, ['notifications/message {"level":"info","data":"answered all"}'])
    await session.close()
  })

  await t.test("it is told when the session ends", async () => {
    const session = connect(engine, transport(), options)
    const before = said(await session.call({ method: "tools/call", params: { name: "closed", arguments: {} } }))
    await session.close()
    const another = connect(engine, transport(), options)
    equal(said(await another.call({ method: "tools/call", params: { name: "closed", arguments: {} } })), before + 1)
    await another.close()
  })

  await t.test("it may forget the session, which is begun anew", async () => {
    const session = connect(engine, transport(), options)
    equal(said(await session.call({ method: "tools/call", params: { name: "form", arguments: {} } })), stories.form)
    await session.call({ method: "tools/call", params: { name: "forget", arguments: {} } })
    equal(said(await session.call({ method: "tools/call", params: { name: "form", arguments: {} } })), stories.form)
    await session.close()
  })

  await t.test("it may ask for a url by an error, and the call is made again", async () => {
    const session = connect(engine, transport(), options)
    /** @type {(boolean | undefined)[]} */
    const repeats = []
    const elicitURL = (/** @type {Question} */ { repeat }) => (repeats.push(repeat), repeat ? new Promise(() => {}) : { action: "accept" })
    equal(said(await session.call({ method: "tools/call", params: { name: "gate", arguments: {} }, askers: { elicitURL } })), "open")
    equal(repeats[0], undefined)
    await session.close()
  })

  equal(engine.live, 0, "live")
})

test("a version that is pinned is not looked for", async (t) => {
  const engine = await load()
  const { transport, stop } = await reach("earlier", "http")
  t.after(stop)
  const session = connect(engine, transport(), { versions: ["2026-07-28"] })
  ok(failed(await session.call({ method: "tools/call", params: { name: "form", arguments: {} } })).resumable, "the call can go on elsewhere")
  await session.close()
  equal((await thrown(async () => connect(engine, transport(), { versions: ["1.0"] }), "a version that there is not")).code, Code.options)
  equal(engine.live, 0, "live")
})

/** What a tool said. @param {Outcome} outcome */
function said(outcome) {
  if (outcome.status !== "done") throw new Error(`${JSON.stringify(outcome)} ${outcome.status === "failed" && outcome.cause}`)
  const { text } = JSON.parse(outcome.result).content[0]
  return /^[[{\d]/.test(text) ? JSON.parse(text) : text
}
