// What the entry for React is made of beside React; tests/react has the rest.
import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

import { Code, connect, Failure, load, ProblemCode, requests } from "../dist/node.js"
import { Calls } from "../dist/react/calls.js"
import { Sessions } from "../dist/tools/sessions.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { done, response } from "./peer.js"

const engine = await load()
const dist = fileURLToPath(new URL("../dist", import.meta.url))

test("the entry for React is under 6 KB gzipped, without React and with nothing of the engine", async () => {
  const { outputFiles, metafile } = await build({ external: ["react"], entryPoints: [`${dist}/react/index.js`], bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", write: false, metafile: true, legalComments: "none" })
  const { length } = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 })
  ok(length > 1000 && length < 6000, `bytes: ${length}`)
  const [output] = Object.values(metafile.outputs)
  equal(output?.imports.map(({ path }) => path), ["react"])
  equal(Object.keys(output?.inputs ?? {}).filter((name) => /session|driver|engine\/(index|call)\.js/.test(name)), [])
})

test("nothing else imports React, and the entry says that it is for clients", () => {
  const importing = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js") && /from "react"/.test(readFileSync(`${dist}/${name}`, "utf8")))
  equal(importing, ["react/hooks.js"])
  ok(readFileSync(`${dist}/react/index.js`, "utf8").startsWith('"use client"\n'), "a directive")
})

/** A session whose server asks what it is told to, and what it got. @param {Calls} calls @param {string} request JSON text */
function asking(calls, request) {
  const got = /** @type {string[]} */ ([])
  const send = requests(({ params }, { progress }) => {
    const { inputResponses } = JSON.parse(params)
    if (inputResponses) got.push(params)
    else progress('{"progress":1,"total":2,"message":"half"}')
    return response(inputResponses ? done : `{"resultType":"input_required","requestState":"s","inputRequests":{"q":${request}}}`)
  })
  return { session: connect(engine, send, { askers: calls.askers(engine) }), got }
}

/** Waits until something stands. @template T @param {Calls} calls @param {() => T | undefined | false} look @returns {Promise<T>} */
async function until(calls, look) {
  for (;;) {
    const found = look()
    if (found) return found
    await new Promise((resolve) => {
      const end = calls.subscribe(() => (end(), resolve(undefined)))
    })
  }
}

const form = `{"method":"elicitation/create","params":{"mode":"form","message":"Which?","_meta":{"ui":{"resourceUri":"ui://pick"},"n":1.0,"big":9007199254740993},"requestedSchema":{"type":"object","properties":{"price":{"type":"number","default":1.50},"size":{"type":"string","enum":["s","l"]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["size"]}}}`
const page = `{"method":"elicitation/create","params":{"mode":"url","message":"Pay","url":"https://pay.example/1","elicitationId":"1"}}`

test("a question stands until it is answered, and its call until it is discarded", async () => {
  const calls = new Calls()
  const { session, got } = asking(calls, form)
  const result = calls.start((side) => session.callTool({ name: "t", ...side }), { id: "mine", about: { tool: "t" } })
  equal(await Promise.race([calls.start(() => 1, { id: "mine" }), "it waits"]), "it waits", "a call that runs is not made again")
  const question = await until(calls, () => calls.now().questions[0])
  equal(question.call, "mine")
  equal(calls.now().calls.map(({ id, about, status }) => [id, about, status]), [["mine", { tool: "t" }, "running"]])
  calls.discard("mine")
  equal(calls.now().calls.length, 1, "a call that runs stays")
  equal([question.message, question.url, question.linkProps, question._meta?.ui], ["Which?", undefined, undefined, { resourceUri: "ui://pick" }])
  equal(question.question.params, /"params":(.*)}$/.exec(form)?.[1], "the params, byte for byte")
  equal(calls.now().calls[0]?.progress, { progress: 1, total: 2, message: "half" })

  const { filling } = question
  equal([filling.check(() => false), filling.filled().map(({ code }) => code)], [1, [undefined, ProblemCode.missing, undefined]], "what is wrong")
  filling.change(1, '"l"')
  equal(filling.filled()[1]?.problem, undefined)
  filling.change(2, ['"b"'])
  equal(filling.check(() => false), -1)
  question.accept()
  question.decline() // of several answers the first counts
  equal((await result).content, [])
  contains(got[0] ?? "", '{"price":1.50,"size":"l","tags":["b"]}')
  equal(calls.now().questions, [])
  equal(calls.now().calls.map(({ status, result }) => [status, result.content]), [["done", []]])
  calls.discard("mine")
  equal(calls.now().calls, [])
  await session.close()
})

test("of many servers, each question says whose it is, and they take turns", async () => {
  const calls = new Calls()
  const sessions = new Sessions({ askers: calls.askers(engine) })
  const send = requests(({ params }) => response(JSON.parse(params).inputResponses ? done : `{"resultType":"input_required","inputRequests":{"q":${page}}}`))
  for (const server of ["a", "b"]) {
    sessions.add(server, (askers) => connect(engine, send, { askers }))
    calls.start((side) => sessions.callTool(server, { name: "t", ...side }), { id: server })
  }
  for (const server of ["a", "b"]) {
    const question = await until(calls, () => calls.now().questions.find((one) => one.server === server))
    equal([question.call, calls.now().questions.length], [server, 1], "its call, and how many questions stand")
    question.accept()
  }
  await until(calls, () => calls.now().calls.every(({ status }) => status === "done"))
  await sessions.close()
})

test("what is wrong shows once a field is left changed, and from then on at once", async () => {
  const calls = new Calls()
  const { session } = asking(calls, form)
  const result = calls.start((side) => session.callTool({ name: "t", ...side }))
  const { filling, decline } = await until(calls, () => calls.now().questions[0])
  const problem = () => filling.filled()[0]?.problem
  let changes = 0
  const end = filling.subscribe(() => changes++)
  filling.leave(0)
  equal(problem(), undefined, "nothing was changed")
  filling.change(0, "x")
  equal([problem(), changes], [undefined, 1], "while the person types")
  end()
  filling.leave(0)
  ok(problem(), "the field was left")
  filling.change(0, "2")
  equal(problem(), undefined, "at once")
  filling.leave(0, true)
  equal([problem(), filling.filled()[0]?.code, changes], ["is not whole", ProblemCode.partial, 1], "and who listens no more is not told")
  decline()
  await result
  await session.close()
})

test("consent to an address: the link gives it, unless it was given before", async () => {
  const calls = new Calls()
  const { session, got } = asking(calls, page)
  const result = calls.start((side) => session.call({ method: "tools/call", params: { name: "t" }, ...side }))
  const { url, linkProps } = await until(calls, () => calls.now().questions[0])
  equal([url, linkProps?.href, linkProps?.rel], ["https://pay.example/1", "https://pay.example/1", "noopener noreferrer"])
  linkProps?.onClick()
  equal((await result).status, "done")
  contains(got[0] ?? "", '"q":{"action":"accept"}')
  equal(calls.now().calls[0]?.result.status, "done")
  await session.close()
})

test("a call is parked from its question or from its side, and resumed under its name", async () => {
  const calls = new Calls()
  const { session, got } = asking(calls, page)
  for (const how of ["question", "call"]) {
    calls.start((side) => session.callTool({ name: "t", ...side }), { id: "a" })
    const question = await until(calls, () => calls.now().questions[0])
    if (how === "question") question.park()
    else calls.now().calls[0]?.park()
    const call = await until(calls, () => calls.now().calls.find(({ status }) => status === "parked"))
    equal(calls.now().questions, [])
    ok(call.error instanceof Failure && call.snapshot !== undefined, "a snapshot")
    ok(!JSON.stringify(call).includes("snapshot"), "no log has it")
  }
  const { snapshot = "" } = calls.now().calls[0] ?? {}
  const resumed = calls.start((side) => session.resume({ snapshot, ...side }), { id: "a" })
  equal(calls.now().calls.map(({ status }) => status), ["running"])
  const again = await until(calls, () => calls.now().questions[0])
  again.accept()
  equal([(await resumed).status, got.length], ["done", 1])
  await session.close()
})

test("a call that is canceled takes its question with it; an outcome without a result is an error", async () => {
  const calls = new Calls()
  const { session } = asking(calls, form)
  calls.start((side) => session.call({ method: "tools/call", params: { name: "t" }, ...side }), { id: "a" })
  await until(calls, () => calls.now().questions[0])
  calls.now().calls[0]?.cancel()
  const call = await until(calls, () => calls.now().calls.find(({ status }) => status === "failed"))
  equal([call.error instanceof Failure && call.error.code, calls.now().questions], [Code.canceled, []])
  const thrower = calls.start(() => {
    throw new TypeError("not so")
  })
  contains((await thrown(() => thrower, "what it throws")).message, "not so")
  equal(calls.now().calls[1]?.error?.message, "not so")
  await session.close()
  equal(engine.live, 0)
})
