import assert from "node:assert/strict"
import test from "node:test"

import { isError, partsOf } from "../result.js"

test("a result in parts, as it came", () => {
  const run = ", though the tool has run: here it is as JSON"
  /** @type {[string, import("../result.js").Part[], string?][]} */
  const tests = [
    ['{"content":[{"type":"text","text":"Hello."}]}', [{ type: "text", text: "Hello." }]],
    ['{"content":[{"type":"text","text":"{\\"n\\":1.0}"}],"structuredContent":{"n":1.0}}', [{ type: "code", text: '{\n  "n": 1.0\n}' }]],
    ['{"content":[]}', [{ type: "ours", text: "It says nothing." }]],
    ['{"content":[{"type":"text","text":"Hello."}],"structuredContent":null}', [{ type: "text", text: "Hello." }]],
    ['{"other":1.0}', [{ type: "ours", text: `the result has no list of content${run}` }, { type: "code", text: '{\n  "other": 1.0\n}' }]],
    ['{"content":[{"type":"text","text":5}]}', [{ type: "ours", text: `content[0].text is not a string${run}` }, { type: "code", text: '{\n  "content": [\n    {\n      "type": "text",\n      "text": 5\n    }\n  ]\n}' }]],
    ['"Done."', [{ type: "ours", text: `the result is not an object${run}` }, { type: "code", text: '"Done."' }]],
    ['{"other":1.0}', [{ type: "code", text: '{\n  "other": 1.0\n}' }], "x/do"],
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
      "prompts/get",
    ],
    ['{"contents":[{"uri":"a://b","text":"x"}]}', [{ type: "text", text: "x" }], "resources/read"],
    ['{"contents":[{"uri":"a://b"}]}', [{ type: "ours", text: "contents[0] has neither text nor blob: here it is as JSON" }, { type: "code", text: '{\n  "contents": [\n    {\n      "uri": "a://b"\n    }\n  ]\n}' }], "resources/read"],
  ]
  for (const [result, want, method = "tools/call"] of tests) assert.deepEqual(partsOf(method, result), want)
  assert.deepEqual(['{"isError":true}', '{"isError":false}', "{}"].map(isError), [true, false, false])
})

test("a text that differs in a number JavaScript would round is no repetition", () => {
  for (const [text, same] of /** @type {const} */ ([["9007199254740992", false], ["9007199254740993", true]])) {
    const parts = partsOf("tools/call", `{"content":[{"type":"text","text":"{\\"id\\":${text}}"}],"structuredContent":{"id":9007199254740993}}`)
    assert.equal(parts.length, same ? 1 : 2)
  }
})
