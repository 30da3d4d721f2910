import assert from "node:assert/strict"
import test from "node:test"

import { explain, failureOf, notBegun, whyNoOffer } from "../failure.js"
import { Code, Failure, ParleyError, StatusError } from "../parley.js"

const app = { name: "this app", address: "come from you", access: ", and this app cannot tell it", forbidden: "Ask whoever runs it." }
const failed = { status: /** @type {const} */ ("failed"), resumable: true }

/** @param {Partial<import("../failure.js").Failure>} failure @param {boolean} [answered] */
const explained = (failure, answered) => explain({ detail: "it was not carried out", resumable: true, code: Code.lost, ...failure }, "Desk", app, answered)

test("what can be done about a failure begins with what helps most", () => {
  const moreRounds = 10
  assert.deepEqual(explained({}).next, [{ label: "Try again", how: { moreRounds } }])
  assert.deepEqual(explained({ inDoubt: true }).next, [{ label: "Send again", how: { resend: true, moreRounds } }])
  assert.deepEqual(explained({ code: Code.state }).next, [{ label: "Start over", how: { again: true } }])
  assert.deepEqual(explained({ code: Code.snapshot }).next, [{ label: "Start over" }, { label: "Try again", how: { moreRounds } }])
  assert.deepEqual(explained({ resumable: false }).next, [{ label: "Start over" }])
})

test("a failure is told in words, with the server's own apart", () => {
  assert.equal(explained({ code: Code.rounds, detail: "the server asks again" }, true).text, "The server asks again. You can let it ask more. Your answers are kept.")
  assert.equal(explained({ inDoubt: true }).text, "It was not carried out. Find out if you can. Sent again, it may be done twice.")
  assert.equal(explained({ code: Code.limit, sentence: { template: "{0} has {1} bytes, and limits.{2} allows {3}", params: ["result", "9", "result", "8"] } }).text, "Result has 9 bytes, and this app takes 8.")
  const { title, text, said } = explained({ code: Code.rpc, response: '{"code":-32000,"message":"No.","data":{"n":1.0}}' })
  assert.deepEqual([title, text, said], ["The server answered with an error", "", 'No. (error -32000, {"n":1.0})'])
})

test("an HTTP status comes with what to do", () => {
  /** @type {[number, string][]} */
  const tests = [
    [308, " Desk has moved: its new address has to come from you."],
    [401, " Desk wants to know who you are, and this app cannot tell it."],
    [404, " Desk may have another address, which has to come from you."],
    [403, " Ask whoever runs it."],
    [429, ""],
    [503, " Desk is in trouble, or something on the way there: try again later."],
  ]
  for (const [status, want] of tests) {
    const { title, text } = explained({ status })
    assert.deepEqual([title, text], [`Desk answered with HTTP status ${status}`, `It was not carried out.${want}`])
  }
})

test("what is kept of a failure is plain data", () => {
  const kept = failureOf({ ...failed, code: Code.lost, detail: "d", snapshot: "s", cause: new StatusError(502) })
  assert.deepEqual(structuredClone(kept), { code: Code.lost, detail: "d", sentence: undefined, resumable: true, inDoubt: undefined, response: undefined, status: 502 })
  assert.deepEqual([notBegun(new ParleyError(Code.peer, "d")).code, notBegun(new ParleyError(Code.peer, "d")).detail, notBegun("d", "s").resumable], [Code.peer, "d", true])
})

test("why a server does not say what it offers", () => {
  const no = (/** @type {ConstructorParameters<typeof Failure>[0]} */ outcome) => whyNoOffer(new Failure(outcome), app)
  assert.equal(no({ ...failed, code: Code.lost, detail: "no answer" }), "No answer.")
  assert.equal(no({ ...failed, code: Code.rpc, detail: "", response: '{"code":-1,"message":"No."}' }), "It answered with an error: No. (error -1)")
  assert.equal(no({ ...failed, status: "parked", detail: "" }), "It asked something first.")
})
