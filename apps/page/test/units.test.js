// What needs no browser.

import assert from "node:assert/strict"
import test from "node:test"

import { fromLocal, toLocal } from "../src/local-time.js"
import { hasHidden, pieces, plainLine, stripped } from "../src/plain.js"
import { messages } from "../src/prompt.js"
import { elements, member, members, string } from "../src/raw-json.js"
import { addressOf } from "../src/roots.js"

test("text from a server", async (t) => {
  /** @type {Record<string, [text: string, shown: string]>} */
  const tests = {
    plain: ["Grüße, 你好, مرحبا 👋🏽", "Grüße, 你好, مرحبا 👋🏽"],
    control: ["\u0000\u001b[31m\u007f\u0085", "␀␛[31m␡<U+0085>"],
    "turned around": ["a\u202eb\u2066c", "a<U+202E>b<U+2066>c"],
    invisible: ["a\u200bb\u00adc\u{e0041}d\u2800e", "a<U+200B>b<U+00AD>c<U+E0041>d<U+2800>e"],
    "line breaks in one line": ["a\r\nb\tc", "a␤b    c"],
    "a carriage return alone": ["a\rb", "a␍b"],
    "a lone surrogate": ["a\ud800b", "a<U+D800>b"],
    "joined emoji": ["👩\u200d🚀", "👩\u200d🚀"],
    "a joiner of nothing": ["a \u200d b", "a <U+200D> b"],
    marks: ["e\u0301 \u0301x", "e\u0301 <U+0301>x"],
    "stacked marks": [`e${"\u0301".repeat(6)}`, `e${"\u0301".repeat(4)}<U+0301><U+0301>`],
    "too long": ["abcdef".repeat(50), `${"abcdef".repeat(33)}ab… (100 more characters)`],
  }
  for (const [name, [text, shown]] of Object.entries(tests)) {
    await t.test(name, () => assert.equal(plainLine(text), shown))
  }
  assert.equal(pieces("\n".repeat(100), 400, "\n").at(-1)?.text, "… (90 more characters)", "line breaks count more")
  assert.equal(stripped("a\u202eb\r\nc"), "ab\nc")
  assert.equal(hasHidden("a\r\nb\tc"), false)
  assert.equal(hasHidden("a\rb"), true)
})

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

test("nothing of a prompt goes to a model unseen", () => {
  const params =
    '{"systemPrompt":"Be short.","messages":[{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","data":"AA"}]},{"role":"assistant","content":{"type":"text","text":"Yes"}}]}'
  assert.deepEqual(messages(params), [
    { who: "system", text: "Be short." },
    { who: "user", text: "Hi" },
    { who: "user", text: '{"type":"image","data":"AA"}' },
    { who: "assistant", text: "Yes" },
  ])
})
