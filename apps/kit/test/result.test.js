import assert from "node:assert/strict"
import test from "node:test"

import { isError, partsOf } from "../result.js"

test("a result in parts, as it came", () => {
  /** @type {[string, import("../result.js").Part[]][]} */
  const tests = [
    ['{"content":[{"type":"text","text":"Hello."}]}', [{ type: "text", text: "Hello." }]],
    ['{"content":[{"type":"text","text":"{\\"n\\":1.0}"}],"structuredContent":{"n":1.0}}', [{ type: "code", text: '{\n  "n": 1.0\n}' }]],
    ['{"content":[]}', [{ type: "ours", text: "It says nothing." }]],
    ['{"other":1.0}', [{ type: "code", text: '{\n  "other": 1.0\n}' }]],
    ['{"content":[{"type":"audio","mimeType":"audio/wav","data":"AAAA"}]}', [{ type: "ours", text: "Not shown here: audio, audio/wav, 3 bytes" }]],
    ['{"content":[{"type":"resource_link","name":"a","uri":"a://b"}]}', [{ type: "resource", name: "a", at: "a://b" }]],
    [
      '{"content":[{"type":"resource","resource":{"uri":"a://b","mimeType":"text/html","text":"<p>"}}]}',
      [
        { type: "resource", name: "a://b", at: undefined },
        { type: "code", text: "<p>" },
      ],
    ],
    [
      '{"messages":[{"role":"user","content":{"type":"text","text":"Do it."}}]}',
      [
        { type: "who", text: "user" },
        { type: "text", text: "Do it." },
      ],
    ],
    ['{"contents":[{"uri":"a://b","text":"x"}]}', [{ type: "text", text: "x" }]],
  ]
  for (const [result, want] of tests) assert.deepEqual(partsOf(result), want)
  assert.deepEqual(['{"isError":true}', '{"isError":false}', "{}"].map(isError), [true, false, false])
})
