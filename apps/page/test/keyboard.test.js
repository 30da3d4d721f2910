// Without a mouse, and for who does not see the screen.

import assert from "node:assert/strict"

import { patiently } from "./patience.js"
import { scene, test } from "./setting.js"
import { tabTo } from "./tab-to.js"

test("a call from beginning to end by keyboard", async () => {
  const { person } = await scene.withGoServer()
  await person.sees("Update a work item")
  await person.keys("Tab")
  await person.focusIs("Skip to the conversation") // the first stop
  await tabTo(person, /^Update a work item/)
  await person.keys("Enter")
  await person.focusIs("Update a work item")
  await tabTo(person, /^id$/)
  await person.keys("4", "7", "1", "1", "Tab")
  await person.keys(..."Resolved", "Enter")

  await person.focusIs("Desk asks")
  await tabTo(person, /^Fixed$/)
  await person.keys("ArrowDown", "ArrowDown")
  await person.focusIs("Duplicate") // arrows go from radio button to radio button
  await person.keys("Enter")
  await person.focusIs("Send this to Desk?")
  await person.keys("Tab")
  await person.focusIs("Send")
  await person.keys("Enter")

  await person.sees("Which other work item does 4711 duplicate?")
  await person.focusIs("Desk asks")
  await person.keys("Tab", "x", "Enter")
  await person.focusIs("Original work item") // where it is wrong
  await person.keys("Backspace", "7", "Enter", "Tab", "Enter")
  await person.sees("Work item 4711 is now Resolved as a duplicate of 7.")
  await person.focusIs("Desk answered")
  await person.keys("Tab")
  await person.focusIs("Call again") // the next stop after the result
})

test("the focus shows", async () => {
  const { person } = await scene.withGoServer()
  await person.sees("Update a work item")
  await tabTo(person, /^Get the weather/)
  const outline = await person.tab.evaluate(() => getComputedStyle(/** @type {Element} */ (document.activeElement)).outlineStyle, undefined)
  assert.notEqual(outline, "none")
})

test("who is busy elsewhere is told, and not interrupted", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Get the weather", { location: "Oslo" })
  await person.focusIs("Desk asks")
  await person.pick("Get the weather")
  await person.focusIs("Get the weather")
  await person.fill({ location: "Rome" })
  // Another tab's call asks something meanwhile.
  const other = await person.second()
  await other.calls("Get the weather", { location: "Bern" })
  await person.sees("in Bern be in")
  assert.equal(await person.focus(), "location", "the focus stays")
  await patiently(async () => {
    const told = await person.tab.evaluate(() => [...document.querySelectorAll("[aria-live]")].map((one) => one.textContent).join(""), undefined)
    assert.match(told, /Desk asks, for Get the weather\./)
  })
})

test("the drawer of a narrow screen", async () => {
  const { person } = await scene.withGoServer({ width: 360, height: 780 })
  await tabTo(person, /^Menu\. Nothing waits for you$/)
  await person.keys("Enter")
  await person.focusIs("Close")
  await person.sees("Get the weather")
  await tabTo(person, /^Get the weather/)
  await person.keys("Escape")
  await person.focusIs(/^Menu\./)
})

test("stopping keeps the focus in the call, forgetting moves it on", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Get the weather", { location: "Oslo" })
  await person.focusIs("Desk asks")
  await tabTo(person, /^Stop this call$/)
  await person.keys("Enter")
  await person.focusIs("You stopped this call")
  await tabTo(person, /^Discard$/)
  await person.keys("Enter")
  await person.focusIs("Pick something to call")
})

test("labels, hints and problems belong to their fields", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Plan a trip", { destination: "Lisbon" })
  await person.press("Share no folders")
  await person.press("Write the answer myself")
  await person.press("Send")
  const { described, invalid } = await person.tab.evaluate(() => {
    const input = /** @type {HTMLElement} */ (document.activeElement)
    return { described: document.getElementById(input.getAttribute("aria-describedby") ?? "")?.innerText, invalid: input.getAttribute("aria-invalid") }
  }, undefined)
  assert.equal(described, "Write what the model would say.")
  assert.equal(invalid, "true")
})
