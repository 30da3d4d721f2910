// What happens while somebody types: Enter, and what is wrong said where it is.

import assert from "node:assert/strict"

import { patiently } from "./patience.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Person } from "./person.js" */

/** What is in the field with the focus, and what it is described by. @param {Person} person */
function inFocus(person) {
  return person.tab.evaluate(() => {
    const input = /** @type {HTMLTextAreaElement} */ (document.activeElement)
    const described = (input.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id))
    return {
      value: input.value,
      invalid: input.getAttribute("aria-invalid"),
      described: described.filter((part) => part && !part.hidden).map((part) => part?.innerText),
    }
  }, undefined)
}

const archive = `[{"name":"search","title":"Search","inputSchema":{"type":"object","required":["filter"],"properties":{
  "text":{"type":"string","title":"Text"},"filter":{"type":"object","title":"Filter","description":"Which ones"},"tags":{"type":"array","title":"Tags","items":{"type":"object"}}}}}]`

test("JSON is checked where it is typed, and the button says what is wrong", async () => {
  const { person, server } = await scene.withScript({ tools: archive, answer: () => done("Found.") })
  await person.pick("Search")
  await person.focusIs("Search")
  await person.keys("Tab", "Tab")
  await person.focusIs("Filter")
  const hint = 'As JSON, such as {"key": true}.'
  assert.deepEqual(await inFocus(person), { value: "", invalid: null, described: ["Which ones", hint] })
  await person.keys(..."{]")
  const problem = 'Filter must be a JSON object, such as {"key": true}'
  await patiently(async () => assert.deepEqual(await inFocus(person), { value: "{]", invalid: "true", described: ["Which ones", hint, problem] })) // and the focus stayed
  await patiently(async () => {
    const told = await person.tab.evaluate(() => [...document.querySelectorAll("[aria-live]")].map((one) => one.textContent).join(""), undefined)
    assert.equal(told, problem)
  })
  await person.keys("Backspace", "}")
  assert.deepEqual(await inFocus(person), { value: "{}", invalid: null, described: ["Which ones", hint] }) // what is right shows at once

  await person.fill({ Filter: "[1]", Tags: "{}" })
  await person.press("Call the tool")
  await person.focusIs("Filter")
  const summary = `Nothing is sent yet. ${problem}; Tags must be a JSON array, such as ["a", 1]`
  const described = () =>
    person.tab.evaluate(() => document.getElementById(document.querySelector(".composer .primary")?.getAttribute("aria-describedby") ?? "")?.innerText, undefined)
  assert.equal(await described(), summary)
  await person.fill({ Filter: '{"a": 1.0}' })
  assert.equal(await described(), 'Nothing is sent yet. Tags must be a JSON array, such as ["a", 1]')
  await person.fill({ Tags: "[]" })
  assert.equal(await person.counts(".summary:not([hidden])"), 0)
  assert.equal(server.received.length, 0)
  await person.press("Call the tool")
  await person.sees("Found.")
  assert.match(server.received[0]?.body ?? "", /"arguments":\{"filter":\{"a": 1\.0\},"tags":\[\]\}/)
})

test("Enter sends from a text of one line, and Ctrl+Enter from any", async () => {
  const tools = '[{"name":"say","title":"Say it","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]'
  const about = '{"about":{"type":"string","title":"About you","maxLength":500}}'
  const { person, server } = await scene.withScript({ tools, answer: ({ params }) => (params.inputResponses || !params.arguments.text.includes("ask") ? done(`Said ${params.arguments.text}.`) : form("k", "Who?", about)) })
  const texts = () => server.received.map(({ params }) => params.arguments.text)
  await person.pick("Say it")
  await person.focusIs("Say it")
  await person.keys("Tab", ..."one", "Enter")
  await person.sees("Said one.")
  assert.deepEqual(texts(), ["one"])

  await person.pick("Say it")
  await person.focusIs("Say it")
  await person.keys("Tab", ..."ask", "Shift+Enter", ..."two", "Enter", ..."three")
  assert.deepEqual([(await inFocus(person)).value, texts()], ["ask\ntwo\nthree", ["one"]])
  await person.keys("Control+Enter")
  await person.sees("Who?")
  assert.deepEqual(texts(), ["one", "ask\ntwo\nthree"])

  await person.focusIs("Desk asks")
  await person.keys("Tab", ..."a", "Enter", ..."b")
  assert.equal((await inFocus(person)).value, "a\nb") // a text that is made for several lines
  await person.keys("Control+Enter")
  await person.focusIs("Send this to Desk?")
  await person.keys("Tab", "Enter")
  await patiently(async () => assert.deepEqual(server.received.at(-1)?.params.inputResponses?.k, { action: "accept", content: { about: "a\nb" } }))
})

for (const [name, look] of Object.entries({ "at 200 %": { width: 640, height: 400 }, "on a phone": { width: 360, height: 640 }, "on a phone that lies": { width: 640, height: 360 } })) {
  test(`${name}, what can be called shows from the beginning`, async () => {
    const { person } = await scene.withGoServer(look)
    await person.sees("Update a work item")
    /** Entries that are whole on the screen, and whether the page is wider than it. */
    const seen = () =>
      person.tab.evaluate(() => {
        const whole = [...document.querySelectorAll(".group button")].filter((entry) => {
          const { top, bottom, left, right } = entry.getBoundingClientRect()
          const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          return top >= 0 && bottom <= innerHeight && right <= innerWidth && over !== null && entry.contains(over)
        })
        return { entries: whole.length, wider: document.documentElement.scrollWidth - document.documentElement.clientWidth }
      }, undefined)
    await patiently(async () => assert.ok((await seen()).entries >= 1, "an entry is on the screen"))
    assert.equal((await seen()).wider, 0)
    await person.calls("Get the weather", { location: "Oslo" })
    await person.sees("Which units should the weather in Oslo be in?")
    await person.answers({ "Metric (°C, km/h)": true }, "Get the weather")
    await person.sees("Oslo: 18 °C")
    await person.calls("Get the weather", { location: "Bern" }) // with a conversation, too
    await person.sees("Which units should the weather in Bern be in?")
    assert.equal((await seen()).wider, 0)
  })
}
