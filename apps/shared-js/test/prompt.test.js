import assert from "node:assert/strict"
import test from "node:test"

import { messages } from "../prompt.js"

test("nothing of a prompt goes to a model unseen", () => {
  const params =
    '{"systemPrompt":"Be short.","messages":[{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","data":"AA"}]},{"role":"assistant","content":{"type":"text","text":"Yes"}}]}'
  assert.deepEqual(messages(params), [
    { who: "system", text: "Be short.", isText: true },
    { who: "user", text: "Hi", isText: true },
    { who: "user", text: '{"type":"image","data":"AA"}', isText: false },
    { who: "assistant", text: "Yes", isText: true },
  ])
})
