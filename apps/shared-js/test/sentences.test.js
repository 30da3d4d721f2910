import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"

import { failureOf, explain, whyNoOffer } from "../failure.js"
import { texts } from "../german-sentences.js"
import { speak } from "../language.js"
import { Code, InstanceError, ParleyError } from "../parley.js"
import { spoken } from "../spoken.js"
import { forNobody } from "./sentences.js"

const catalogue = ["engine", "js"].flatMap((name) => readFileSync(new URL(`../../../sentence/testdata/${name}.txt`, import.meta.url), "utf8").trim().split("\n"))

/** What a text has places for. @param {string} text */
const places = (text) => [...new Set(text.match(/\{\d\}/g))].sort()

test("all that the engine and the library say to a person has German, with the same places", () => {
  assert.ok(catalogue.length > 300)
  const others = new Set(Object.values(forNobody).flat())
  assert.deepEqual([...new Set(catalogue)].filter((text) => !Object.hasOwn(texts, text) && !others.has(text)), [], "to be translated in german-sentences.js")
  assert.deepEqual(Object.keys(texts).filter((text) => !catalogue.includes(text) || others.has(text)), [], "nobody says it to a person")
  assert.deepEqual([...others].filter((text) => !catalogue.includes(text)), [], "nobody says it")
  for (const [english, german] of Object.entries(texts)) {
    assert.deepEqual(places(german), places(english), english)
    assert.notEqual(german.trim(), "", english)
  }
})

const app = { name: "diese Seite", address: "", access: "" }

test("a sentence is said with the sentences in it, and what is somebody else's stays", (c) => {
  c.after(() => speak("en"))
  const doubt = { template: "{0}: {1}", params: [{ template: "it was not carried out", params: [] }, { template: "the certificate of the server {0}", params: [{ template: "has expired", params: [] }] }] }
  const theirs = { template: "inputRequests[{0}]: {1}", params: ['"is missing"', { template: "{0} is missing", params: ["is missing"] }] }
  const long = { template: "{0} has {1} bytes, and limits.{2} allows {3}", params: [{ template: "the result", params: [] }, "9", "result", "8"] }
  const late = { template: "no answer within {0} ms ({1})", params: ["60000", "legTimeout"] }
  assert.deepEqual([spoken(doubt), spoken(late)], ["it was not carried out: the certificate of the server has expired", "no answer within 60 seconds"])
  speak("de", { ...texts, "{0} has {1} bytes, and {2} takes {3}": "{0}: {1} Bytes, und {2} nimmt {3}", "no answer within {0} seconds": "keine Antwort innerhalb von {0} Sekunden" })
  assert.equal(spoken(doubt), "es wurde nicht ausgeführt: das Zertifikat des Servers ist abgelaufen")
  assert.equal(spoken(theirs), 'inputRequests["is missing"]: is missing fehlt')
  assert.equal(spoken(long, app.name), "das Ergebnis: 9 Bytes, und diese Seite nimmt 8")
  assert.equal(spoken(late), "keine Antwort innerhalb von 60 Sekunden")
})

test("a failure and an error are told in the person's language, an old one as it was kept", (c) => {
  c.after(() => speak("en"))
  speak("de", texts)
  const sentence = { template: "the server asks again after {0} rounds", params: ["3"] }
  const failed = { status: /** @type {const} */ ("failed"), code: Code.rounds, detail: "the server asks again after 3 rounds", resumable: true }
  assert.match(explain(failureOf({ ...failed, sentence }), "Desk", app).text, /^Der Server fragt nach 3 Runden noch einmal\./)
  assert.match(explain(structuredClone(failureOf({ ...failed, sentence })), "Desk", app).text, /^Der Server fragt/)
  assert.match(explain(failureOf(failed), "Desk", app).text, /^The server asks again after 3 rounds\./)
  assert.equal(whyNoOffer(new ParleyError(Code.order, { template: "the session is closed", params: [] }), app), "Die Verbindung ist beendet.")
  assert.equal(whyNoOffer(new InstanceError({ template: "the engine's instance trapped", params: [] }), app), "Die Engine ist abgestürzt.")
  assert.equal(whyNoOffer(new Error("no"), app), "no")
})
