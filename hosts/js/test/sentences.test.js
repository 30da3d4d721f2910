import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import test from "node:test"

import { Code, InstanceError, load, ParleyError, translate, unsent } from "../dist/node.js"
import { readMarked, say, sentenceOf } from "../dist/texts/sentence.js"
import { saidIn } from "./said.js"

const recorded = new URL("../../../sentence/testdata/js.txt", import.meta.url)

// UPDATE=1 npm test writes it.
test("all that this package says is on record, for hosts that translate", () => {
  const all = [...new Set(saidIn(new URL("../src/", import.meta.url), "say").map(({ text }) => text))].sort()
  assert.ok(all.length > 40)
  for (const text of all) assert.deepEqual(text.match(/\{\d\}/g) ?? [], (text.match(/\{\d\}/g) ?? []).map((_, i) => `{${i}}`), text)
  if (process.env.UPDATE) writeFileSync(recorded, all.join("\n") + "\n")
  assert.deepEqual(readFileSync(recorded, "utf8").trim().split("\n"), all)
})

const german = {
  "{0}: {1}": "{0} – {1}",
  "nothing more was sent": "es wurde nichts mehr gesendet",
  "{0} at byte {1}": "bei Byte {1}: {0}",
  "no room": "kein Platz",
}

test("a sentence is translated with the sentences in it, and nothing that somebody else said", () => {
  const sentence = say`${say`nothing more was sent`}: ${say`${"no room"} at byte ${7}`}`
  assert.equal(translate(sentence), "nothing more was sent: no room at byte 7")
  assert.equal(translate(sentence, german), "es wurde nichts mehr gesendet – bei Byte 7: no room")
  assert.equal(translate(sentenceOf("no room"), german), "no room")
  assert.equal(translate(say`no room`, german), "kein Platz")
  assert.equal(translate(say`${"{1}"} at byte ${"$&"}`, german), "bei Byte $&: {1}", "what goes in is not read")
  assert.equal(translate(say`toString`, {}), "toString")
})

test("a sentence goes to the engine and comes back", async () => {
  const engine = await load()
  const session = engine.newSession({ transport: "requests" })
  const call = session.call("tools/call")
  session.step(0, { type: "begin", call })
  const reason = say`the name of the server cannot be looked up: ${"a.example"}`
  const [failed] = /** @type {any[]} */ (session.step(1, { type: "ended", exchange: 1, reason, unsent: true }))
  assert.equal(failed.detail, "it was not carried out: the name of the server cannot be looked up: a.example")
  assert.deepEqual(failed.sentence, { template: "{0}: {1}", params: [{ template: "it was not carried out", params: [] }, reason] })
  session.step(2, { type: "begin", call })
  const [foreign] = /** @type {any[]} */ (session.step(3, { type: "ended", exchange: 2, reason: "it was not carried out", unsent: true }))
  assert.deepEqual(foreign.sentence.params[1], "it was not carried out", "the words of a host's own stay as they are")
  session.free()
})

test("every error has its sentence", async () => {
  const engine = await load()
  const thrown = (/** @type {() => unknown} */ act) => {
    try {
      act()
    } catch (error) {
      return /** @type {ParleyError} */ (error)
    }
    throw new Error("nothing was thrown")
  }
  const session = engine.newSession()
  const restored = thrown(() => session.restore("{}"))
  assert.deepEqual([restored.code, restored.detail, restored.sentence], [Code.snapshot, "it is no snapshot of a flow", { template: "it is no snapshot of a flow", params: [] }])
  assert.deepEqual(thrown(() => session.call("x", "{}", { maxRounds: -1 })).sentence, { template: "{0}", params: ["maxRounds is out of range"] })
  assert.deepEqual(new ParleyError(Code.order, "mine").sentence, { template: "{0}", params: ["mine"] })
  assert.equal(new InstanceError(say`gone`).message, "parley: gone")
  assert.equal(unsent(say`no way to ${"x"}`).message, "parley: no way to x")
  const { problem } = engine.form('{"type":"object","properties":{"a":{"type":"object"}}}')
  assert.deepEqual([problem?.code, problem?.message, problem?.sentence?.template], [2, "is an object, which a form cannot show", "is an object, which a form cannot show"])
})

test("marks that do not pair are read as far as they go", () => {
  assert.deepEqual(readMarked("a \u0001b"), { template: "a {0}", params: ["b"] })
  assert.deepEqual(readMarked("\u0002\u0001b\u0003\u0003 c"), { template: "{0} c", params: ["b"] })
  assert.deepEqual(readMarked(""), { template: "", params: [] })
})
