import assert from "node:assert/strict"
import test from "node:test"

import { sampled, says } from "../question.js"

test("what a question says", () => {
  assert.equal(says({ kind: "elicitation/create", params: '{"message":"Which?"}' }), "Which?")
  assert.equal(says({ kind: "sampling/createMessage", params: '{"message":"Which?"}' }), "A model’s answer")
  assert.equal(says({ kind: "roots/list" }), "Which folders may it work on?")
})

test("a server is told who answered in place of a model", () => {
  const by = (/** @type {[string, string, string]} */ ...given) => JSON.parse(sampled(...given)).model
  assert.equal(by("m", "Yes.\n", "Yes."), "m")
  assert.equal(by("m", "Yes.", "No."), "m, changed by a person")
  assert.equal(by("a person", "", "No."), "a person")
})
