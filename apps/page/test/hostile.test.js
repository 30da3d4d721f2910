// A server whose every string is hostile. What it sends is shown as text, and
// goes back as it came.

import assert from "node:assert/strict"

import { scene, test } from "./setting.js"

/** What a page or a reader could take for something else than text, with a number to tell where it came from. @param {number} n */
const evil = (n) =>
  `E${n}\u001b[31m\u009b\u202egpj\u2066\u200b\ufeff\u0000\u007f<img src=x onerror=alert(1)><b>b</b>[a](javascript:alert(1)) https://evil.example/ end`

/** How it shows. @param {number} n */
const seen = (n) =>
  `E${n}␛[31m<U+009B><U+202E>gpj<U+2066><U+200B><U+FEFF>␀␡<img src=x onerror=alert(1)><b>b</b>[a](javascript:alert(1)) https://evil.example/ end`

/** Puts the n-th evil text where <n> stands in JSON. @param {string} pattern */
const quoted = (pattern) => pattern.replaceAll(/<(\d+)>/g, (_, n) => JSON.stringify(evil(Number(n))))

const tools = quoted(
  '[{"name":<1>,"title":<2>,"description":<3>,"inputSchema":{"type":"object","properties":{<4>:{"type":"string","title":<5>,"description":<6>,"default":<7>}}}}]',
)

const rounds = [
  quoted(`"result":{"resultType":"input_required","requestState":<8>,"inputRequests":{<9>:{"method":"elicitation/create","params":{"message":<10>,"requestedSchema":{"type":"object","properties":{
    <11>:{"type":"string","title":<12>,"description":<13>,"default":<14>},
    "pick":{"type":"string","title":<15>,"oneOf":[{"const":<16>,"title":<17>},{"const":"b","title":<17>}]},
    "some":{"type":"array","title":<18>,"items":{"enum":[<19>,"c"]},"minItems":1},
    "many":{"type":"string","title":<20>,"enum":[<21>,"2","3","4","5","6","7"]},
    <22>:{"type":"boolean","default":true}},"required":["pick","some"]}}}}}`),
  quoted(
    `"result":{"resultType":"input_required","inputRequests":{"s":{"method":"sampling/createMessage","params":{"systemPrompt":<23>,"messages":[{"role":"user","content":[{"type":"text","text":<24>},{"type":"image","mimeType":<25>,"data":""}]}],"maxTokens":9}}}}`,
  ),
  quoted(`"result":{"content":[{"type":"text","text":<30>},{"type":"image","mimeType":<31>,"data":"AAAA"},{"type":<32>},{"type":"resource_link","name":<33>,"uri":<34>},
    {"type":"resource","resource":{"uri":<35>,"text":<36>}}],"structuredContent":{<37>:<38>}}`),
]

/** What is never in the page, in any attribute or text. */
const raw = /[\u0000-\u0008\u001b\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/

/** @param {import("./person.js").Person} person */
async function checkSafe(person) {
  const html = await person.tab.evaluate(() => document.documentElement.outerHTML + document.title, undefined)
  const at = html.search(raw)
  assert.equal(at, -1, `hidden characters in the page: ${JSON.stringify(html.slice(Math.max(at - 60, 0), at + 20))}`)
  assert.equal(await person.counts("main img, main b, main a, aside a, main script, iframe"), 0, "elements made of text")
}

test("every string of a server is text", async () => {
  const { person, server } = await scene.withScript({ tools, answer: (_, n) => rounds[n] ?? "hang up" })
  await person.tab.evaluate(() => {
    window.alert = () => document.body.append("ALERTED")
  }, undefined)
  await person.sees(seen(2).slice(0, 60))
  await person.tab.click(".group button")
  for (const n of [2, 3, 5, 6]) await person.sees(seen(n))
  await person.sees("The suggested text has hidden characters; they were taken out.")
  await checkSafe(person)
  await person.press("Call the tool")

  for (const n of [10, 12, 13, 15, 18, 20, 22]) await person.sees(seen(n))
  await person.sees(`("${String.raw`E16\u001b[31m`}`)
  await checkSafe(person)
  await person.press("Review answer")
  await person.sees(`${seen(15)} must be`)
  await checkSafe(person)
  await person.tab.click('input[type="radio"]')
  await person.tab.click('.open fieldset:not([role]) input[type="checkbox"]')
  await person.press("Review answer")
  await person.sees(`${seen(18)} ${seen(19)}`)
  await checkSafe(person)
  await person.press("Send")

  for (const n of [23, 24]) await person.sees(seen(n))
  await person.sees('{"type":"image","mimeType":')
  await checkSafe(person)
  await person.press("Write the answer myself")
  await person.fill({ "Your answer, in place of a model’s": "No." })
  await person.press("Send")

  for (const n of [30, 33, 34, 35, 36]) await person.sees(seen(n))
  await person.sees("E37\\u001b[31m")
  await checkSafe(person)
  assert.equal((await person.reads()).includes("ALERTED"), false)

  const { inputResponses, requestState } = server.received[1]?.params ?? {}
  assert.equal(requestState, evil(8), "requestState goes back as it came")
  assert.deepEqual(Object.keys(inputResponses), [evil(9)], "so does the key")
  assert.equal(inputResponses[evil(9)].content.pick, evil(16), "and a choice")
  assert.deepEqual(inputResponses[evil(9)].content.some, [evil(19)])
})

test("errors and progress are text", async () => {
  const { person } = await scene.withScript({
    answer: (_, n) =>
      [
        quoted('"error":{"code":-32000,"message":<1>,"data":<2>}'),
        { progress: quoted('{"progress":1,"message":<3>}'), then: /** @type {const} */ ("say nothing") },
      ][n] ?? "hang up",
  })
  await person.calls("x")
  await person.sees(seen(1))
  await checkSafe(person)
  await person.calls("x")
  await person.sees(seen(3))
  await checkSafe(person)
})

test("a long message does not push everything else away", async () => {
  const lines = JSON.stringify(`${"All work and no play. ".repeat(2000)}${"\n".repeat(5000)}`)
  const { person } = await scene.withScript({
    answer: (_, n) =>
      n
        ? '"result":{"content":[]}'
        : `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":${lines},"requestedSchema":{"type":"object","properties":{}}}}}}`,
  })
  await person.calls("x")
  await person.sees("more characters)")
  await person.press("Yes")
  await person.sees("It says nothing.")
})

test("an address that looks like another", async () => {
  const { person } = await scene.withScript({
    answer: () =>
      '"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":"Sign in.","url":"https://xn--pple-43d.example/login?next=bank.example","elicitationId":"1"}}}}',
  })
  await person.calls("x")
  await person.sees("“xn--pple-43d.example” stands for letters beyond a to z")
  await person.sees("It leads to xn--pple-43d.example")
  await person.press("Decline")
})
