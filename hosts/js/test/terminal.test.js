// Questions put at a terminal, whose other side is this test.
import { spawn } from "node:child_process"
import { PassThrough } from "node:stream"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { Code, connect, load, requests } from "../dist/node.js"
import { shown, terminal } from "../dist/forms/terminal-node.js"
import { contains, equal, ok } from "./assert.js"
import { done, failed, response } from "./peer.js"

/** @import { HostSide } from "../dist/node.js" */

const engine = await load()

const form = {
  message: "Order?\nReally?",
  requestedSchema: {
    type: "object",
    properties: {
      size: { type: "string", title: "Size", description: "Of the\u001b[2J pizza", oneOf: [{ const: "s", title: "Small" }, { const: "l", title: "Large" }] },
      count: { type: "integer", title: "How many", minimum: 1, default: 2 },
      note: { type: "string" },
      sure: { type: "boolean", title: "Sure" },
    },
    required: ["size", "sure"],
  },
}
const url = { mode: "url", elicitationId: "e1", message: "Sign in", url: "https://xn--bcher-kva.example/a" }

/** A session whose server asks so, and its terminal. @param {...object} questions */
function host(...questions) {
  const input = new PassThrough()
  const screen = { text: "", write: (/** @type {string} */ text) => void (screen.text += text) }
  /** @type {any} */
  let answers
  let sent = ""
  const inputRequests = Object.fromEntries(questions.map((params, i) => [`q${i}`, { method: "elicitation/create", params }]))
  const send = requests(({ params }) => {
    answers = JSON.parse(params).inputResponses
    sent = params
    return response(answers ? done : JSON.stringify({ resultType: "input_required", inputRequests }))
  })
  const session = connect(engine, send, { askers: terminal(engine, { input, output: screen }) })
  return {
    screen,
    session,
    /** @param {string} typed all that comes @param {HostSide & {options?: object}} [running] */
    async call(typed, running) {
      input.end(typed)
      const outcome = await session.call({ method: "tools/call", ...running })
      await session.close()
      return { outcome, answers, sent }
    },
  }
}

test("a form is asked for field by field, until each fits", async () => {
  const { call, screen } = host(form)
  const { sent } = await call("Huge\nLarge\n0\n\n\nmaybe\nyes\n\n")
  contains(sent, '{"action":"accept","content":{"size":"l","count":2,"sure":true}}')
  equal(screen.text.split("\n"), [
    "",
    "The server asks: Order?",
    "| Really?",
    "  Of the\ufffd[2J pizza",
    "  - s: Small",
    "  - l: Large",
    "  Size (or /decline):   It must be one of the choices.",
    "  Size (or /decline):   How many [2] (or /decline):   It must be at least 1.",
    "  How many [2] (or /decline):   note (or /decline):   Sure (or /decline):   It must be yes or no.",
    "  Sure (or /decline):   Enter sends this (or /decline): ",
  ])
})

test("a list has a line for each value, a type is picked first, and what is only shown is not asked for", async () => {
  const { call, screen } = host({
    message: "Order?",
    requestedSchema: {
      type: "object",
      minProperties: 1,
      properties: {
        id: { type: "string", title: "Number", readOnly: true, default: "A-7" },
        tags: { type: "array", title: "Tags", items: { type: "string", minLength: 2 }, minItems: 2, uniqueItems: true },
        price: { title: "Price", anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }, { type: "null" }] },
        again: { anyOf: [{ type: "integer" }, { type: "string" }], default: "007" },
        size: { enum: [1, "1", true, null], title: "Size" },
        code: { type: "string", pattern: "^a”\u001b[2J Parley: fine“$", examples: ["ab\u202ec"], deprecated: true },
        yes: { const: true, title: "I agree" },
      },
      required: ["yes"],
    },
  })
  const { answers } = await call("a\n\nab\ncd\n\n3\n1\n0\n1\n1.50\n\nyes\nab\n\nyes\n\n")
  equal(answers.q0.content, { tags: ["ab", "cd"], price: 1.5, again: "007", size: true, code: "ab", yes: true })
  equal(screen.text.split("\n"), [
    "",
    "The server asks: Order?",
    "  Number: A-7",
    "  Tags, one on each line, an empty line ends them (or /decline):   Tags, one more (or /decline):   It must have values that fit: each must be at least 2 characters.",
    "  Tags, one on each line, an empty line ends them (or /decline):   Tags, one more (or /decline):   Tags, one more (or /decline):   - 1: A number",
    "  - 2: Text",
    "  Price, the number of its type (or /decline):   It must be a number from 1 to 2.",
    "  Price, the number of its type (or /decline):   Price (or /decline):   It must be more than 0.",
    "  Price, the number of its type (or /decline):   Price (or /decline):   - 1: A whole number",
    "  - 2: Text",
    "  again, the number of its type [007] (or /decline):   - 1",
    '  - "1"',
    "  - Yes",
    "  Size (or /decline):   Deprecated. Such as “ab\\u{202e}c”. The server wants it to match “^a\"\\u{1b}[2J Parley: fine\"$”.",
    "  code (or /decline):   - Yes",
    "  I agree (or /decline):   It must be filled in.",
    "  I agree (or /decline):   The server checks more: minProperties.",
    "  Enter sends this (or /decline): ",
  ])
})

test("a person may decline, and the end of the input parks the call", async () => {
  equal((await host(form).call("Small\n/decline\n")).answers, { q0: { action: "decline" } })
  equal((await host(form).call("Small\n")).outcome.status, "parked")
  equal((await host(form).call("")).outcome.status, "parked")
  equal((await host({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }).call("\n")).answers, { q0: { action: "accept", content: {} } })
})

test("an address is shown, and opened by the person", async () => {
  const { call, screen } = host(url)
  equal((await call("\n")).answers, { q0: { action: "accept" } })
  contains(screen.text, "wants you to open a page at xn--bcher-kva.example: Sign in\n  https://xn--bcher-kva.example/a\n")
  contains(screen.text, "it may look like another one")
  equal((await host(url).call("/decline\n")).answers, { q0: { action: "decline" } })
})

test("questions that come at once are put one after another", async () => {
  const { call, screen } = host(form, url)
  const { answers } = await call("Small\n\n\nno\n\n\n", { options: { askConcurrency: -1 } })
  equal([answers.q0.content.size, answers.q1], ["s", { action: "accept" }])
  ok(screen.text.indexOf("Enter sends this") < screen.text.indexOf("open a page"), "the form comes first")
})

test("a question that is moot lets the next one have the line", async () => {
  const first = host(form)
  const controller = new AbortController()
  const running = first.session.call({ method: "tools/call", signal: controller.signal })
  for (; !first.screen.text.includes("Size"); ) await new Promise(setImmediate)
  controller.abort()
  equal(failed(await running).code, Code.canceled)
  first.screen.text = ""
  const { answers } = await first.call("Small\n\n\ny\n\n")
  equal(answers.q0.action, "accept")
})

test("what a server says cannot pass for the host's own words, or steer the terminal", () => {
  equal(shown("a\u001b[2J\u202eb\u2028c\u009b\r\n$ rm"), "a\ufffd[2J\ufffdb\ufffdc\ufffd\ufffd\n| $ rm")
})

test("a terminal that nobody is asked at keeps no process running", async () => {
  const program = `
    import { connect, load, requests } from ${JSON.stringify(new URL("../dist/node.js", import.meta.url))}
    import { terminal } from ${JSON.stringify(new URL("../dist/forms/terminal-node.js", import.meta.url))}
    const engine = await load()
    const question = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: { type: "object", properties: {} } } }
    const send = ({ params }) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: JSON.parse(params).inputResponses ? { content: [] } : { resultType: "input_required", inputRequests: { question } } })
    const session = connect(engine, requests(send), { askers: terminal(engine) })
    await session.callTool({ name: "t" })
    await session.close()`
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: ["pipe", "ignore", "inherit"] })
  child.stdin.write("\n") // and it stays open
  equal(await new Promise((resolve) => child.once("exit", resolve)), 0, "exit code")
})

test("nothing is left in the engine", () => equal(engine.live, 0, "live"))
