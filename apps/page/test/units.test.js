// What needs no browser.

import assert from "node:assert/strict"
import test from "node:test"

import { fromLocal, toLocal } from "../src/local-time.js"
import { addressOf } from "../src/roots.js"

test("moments", () => {
  assert.equal(Date.parse(fromLocal("2026-03-31T09:30")), new Date("2026-03-31T09:30").getTime())
  assert.equal(toLocal(fromLocal("2026-03-31T09:30:15")), "2026-03-31T09:30:15")
  assert.equal(toLocal("some day"), "")
})

test("folders", () => {
  const uri = (/** @type {string} */ typed) => {
    const root = addressOf(typed)
    return typeof root === "string" ? undefined : root.uri
  }
  assert.equal(uri(" /home/me/my project/é#? "), "file:///home/me/my%20project/%C3%A9%23%3F")
  assert.equal(uri("C:\\photos\\a b"), "file:///C:/photos/a%20b")
  assert.equal(uri("file:///home/me%20too"), "file:///home/me%20too")
  for (const wrong of ["", "project", "/a/../b", "file:///%zz", "https://example.com/"]) assert.equal(uri(wrong), undefined, wrong)
})
