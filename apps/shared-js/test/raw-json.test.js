import assert from "node:assert/strict"
import test from "node:test"

import { elements, member, members, string } from "../raw-json.js"

test("JSON text is taken apart without being changed", () => {
  const text = ' { "a" : 1.0 , "b":[ 1 , {"x":"],}"} , "\\"" ],"c":{},"d":"\\u00e9","e" : null, "n":9007199254740993 } '
  assert.deepEqual(
    members(text).map(({ name, value }) => [name, value]),
    [
      ["a", "1.0"],
      ["b", '[ 1 , {"x":"],}"} , "\\"" ]'],
      ["c", "{}"],
      ["d", '"\\u00e9"'],
      ["e", "null"],
      ["n", "9007199254740993"],
    ],
  )
  assert.deepEqual(elements(member(text, "b") ?? ""), ["1", '{"x":"],}"}', '"\\""'])
  assert.equal(string(member(text, "d")), "é")
  assert.equal(member(text, "nothing"), undefined)
  assert.deepEqual(members("[1]"), [])
  assert.deepEqual(elements('"[1]"'), [])
  assert.deepEqual(elements(" [ ] "), [])
})
