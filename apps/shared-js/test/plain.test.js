import assert from "node:assert/strict"
import test from "node:test"

import { hasHidden, pieces, plainLine, plainText, stripped } from "../plain.js"

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
  assert.equal(plainText("two\nlines \u0007"), "two\nlines ␇")
  assert.equal(stripped("a\u202eb\r\nc"), "ab\nc")
  assert.equal(hasHidden("a\r\nb\tc"), false)
  assert.equal(hasHidden("a\rb"), true)
})
