// Every kind of field, and the exact content that comes of it.

import assert from "node:assert/strict"

import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** Asks with a form and returns what went back. @param {string} properties @param {(person: import("./person.js").Person) => Promise<unknown>} fill */
async function content(properties, fill) {
  const { person, server } = await scene.withScript({ answer: (_, n) => (n ? done("Thank you.") : form("k", "Please.", properties)) })
  await person.calls("x")
  await person.sees("Please.")
  await fill(person)
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("Thank you.")
  return /"content":(\{.*?\})\}\}/.exec(server.received[1]?.body ?? "")?.[1]
}

test("numbers keep their digits", async () => {
  const got = await content(
    '{"a":{"type":"number"},"b":{"type":"integer","minimum":9007199254740993},"c":{"type":"number","default":1.0},"d":{"type":"number"}}',
    (person) => person.fill({ a: "1.50", b: "9007199254740995" }),
  )
  assert.equal(got, '{"a":1.50,"b":9007199254740995,"c":1.0}')
})

test("texts, addresses and dates", async () => {
  const properties =
    '{"a":{"type":"string","format":"email"},"b":{"type":"string","format":"uri"},"c":{"type":"string","format":"date"},"d":{"type":"string","maxLength":500},"e":{"type":"string","default":"x"}}'
  const got = await content(properties, async (person) => {
    await person.fill({ a: "nobody", b: "nowhere" })
    await person.sees("a must be an email address like name@example.com")
    await person.sees("b must be an address like https://example.com/page")
    await person.fill({ a: "a@b.example", b: "https://b.example/", c: "2026-03-31", d: "two\nlines", e: "" })
    await person.sees("Left empty: the server may use its default.")
  })
  assert.equal(got, '{"a":"a@b.example","b":"https://b.example/","c":"2026-03-31","d":"two\\nlines"}')
})

test("a moment in the person’s own time zone", async () => {
  const properties = '{"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"date-time","default":"2026-03-31T09:30:00.5Z"}}'
  const got = await content(properties, (person) => person.fill({ a: "2026-07-01T12:00" }))
  const { a, b } = JSON.parse(got ?? "{}")
  assert.match(a, /^2026-07-01T12:00:00[+-]\d\d:\d\d$/)
  assert.equal(b, "2026-03-31T09:30:00.5Z", "a default that was not touched")
})

test("yes and no", async () => {
  const properties = '{"a":{"type":"boolean"},"b":{"type":"boolean","default":true},"c":{"type":"boolean"}}'
  const got = await content(properties, (person) => person.fill({ "a: No": true, b: false }))
  assert.equal(got, '{"a":false,"b":false}')
})

test("choices of one name, many choices, and some of several", async () => {
  const properties = `{"a":{"type":"string","oneOf":[{"const":"1","title":"Same"},{"const":"2","title":"Same"}]},
    "b":{"type":"string","enum":["b1","b2","b3","b4","b5","b6","b7"]},
    "c":{"type":"array","items":{"enum":["x","y","z"]},"minItems":2,"maxItems":2}}`
  const got = await content(properties, async (person) => {
    await person.fill({ 'Same ("2")': true, b: "b7", x: true })
    await person.sees("c must be at least 2 choices")
    await person.fill({ z: true })
  })
  assert.equal(got, '{"a":"2","b":"b7","c":["x","z"]}')
})
