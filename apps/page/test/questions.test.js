// Each kind of question, answered by a person at a real MCP server.

import assert from "node:assert/strict"

import { scene, test } from "./setting.js"

test("a form, and one that follows from its answer", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Update a work item", { id: "4711", state: "Resolved" })
  await person.sees("Desk asks")
  await person.sees("How was work item 4711 resolved?")
  await person.answers({ Duplicate: true })
  await person.sees("Which other work item does 4711 duplicate?")
  await person.fill({ "Original work item": "4242", Comment: "The same crash." })
  await person.press("Review answer")
  await person.sees("Send this to Desk?")
  await person.sees("Original work item 4242")
  await person.press("Send")
  await person.sees('Work item 4711 is now Resolved as a duplicate of 4242. Comment: "The same crash.".')
  assert.equal(await person.counts(".turn"), 2, "answers in the conversation")
})

test("what is wrong shows while it is typed, and is not sent", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Provision a virtual machine", { medium: true })
  await person.fill({ "Data disks": "9" })
  await person.sees("Data disks must be at most 8")
  await person.press("Review answer")
  await person.focusIs(/^Data disks/)
  const { invalid, said } = await person.tab.evaluate(() => {
    const active = /** @type {HTMLInputElement} */ (document.activeElement)
    const described = (active.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.innerText)
    return { invalid: active.getAttribute("aria-invalid"), said: described.join(" ") }
  }, undefined)
  assert.equal(invalid, "true")
  assert.match(said, /A whole number, 1 to 8\. Data disks must be at most 8/)
  await person.fill({ "Data disks": "2" })
  await person.seesNo("must be at most 8")
  await person.answers({ "I accept the monthly cost": true, Production: true, Test: true })
  await person.sees("Provisioned a medium machine in westeurope with 2 data disk(s) and tags prod, test for 58 EUR a month.")
})

test("no is an answer", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Get the weather", { location: "Oslo" })
  await person.press("Decline")
  await person.sees("Oslo: 18 °C, light rain, wind 15 km/h.")
  await person.sees("You declined")
  await person.calls("Get the weather", { location: "Rome" })
  await person.press("Dismiss")
  await person.sees("The user cancelled: no weather for Rome.")
})

test("a page to open", async () => {
  const { person, server } = await scene.withGoServer()
  const opensTabs = scene.browser.name !== "webkit" // WebKitWebDriver's browser opens none
  await person.calls("Connect an account")
  await person.sees("Desk wants you to open a page")
  await person.sees("This page is on your own computer.")
  const { host, url } = await person.tab.evaluate(
    () => ({ host: document.querySelector(".url .host")?.textContent, url: document.querySelector(".url")?.textContent ?? "" }),
    undefined,
  )
  assert.equal(host, "127.0.0.1")
  assert.ok(url.startsWith(`${new URL(server.url).origin}/connect/`), `the whole address: got ${url}`)
  const page = opensTabs ? await person.opens("Open the page") : await person.opensMyself(url, "I opened it myself")
  await person.sees("Desk waits until you are done on its page")
  await person.press("I’m done: check again")
  await person.sees("You said that you are done there")
  await person.sees("Desk waits until you are done on its page")
  assert.equal(await page.tab.evaluate(() => window.opener === null && document.referrer === "", undefined), true, "the page that opened does not reach this one")
  await page.press("Connect")
  await page.sees("Your calendar account is connected.")
  await page.tab.close()
  await person.press("I’m done: check again")
  await person.sees("Your calendar account is connected.")
})

test("a model’s answer, allowed and seen by the person", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Summarise a text", { text: "Parley is a loop. It is built once." })
  await person.sees("Desk wants a model’s answer")
  await person.sees("You summarise texts in one sentence.")
  await person.press("Give it to the example model")
  await person.sees("What the example model says")
  await person.press("Send")
  await person.sees("Parley is a loop.", "Summarise a text")
  await person.sees("Desk answered")

  await person.calls("Summarise a text", { text: "Another text." })
  await person.press("Write the answer myself")
  await person.press("Send")
  await person.sees("Write what the model would say.")
  await person.fill({ "Your answer, in place of a model’s": "Short." })
  await person.press("Send")
  await person.sees("Answer by a person Short.")

  await person.calls("Summarise a text", { text: "One. Two." })
  await person.press("Give it to the example model")
  await person.fill({ "What the example model says": "Two." })
  await person.reload()
  await person.press("Send")
  await person.sees("Answer by the example model, changed by a person Two.")
})

test("folders", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("List the shared folders")
  await person.fill({ "Another folder": "project" })
  await person.press("Add")
  await person.sees("A folder’s path begins with /")
  await person.fill({ "Another folder": "/home/me/my project" })
  await person.press("Add")
  await person.press("Share 1 folder")
  await person.sees("my project (file:///home/me/my%20project)")
  await person.calls("List the shared folders")
  await person.fill({ "/my project/": false })
  await person.press("Share no folders")
  await person.sees("The client shares no roots.")
})

test("three kinds in one round", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Plan a trip", { destination: "Lisbon" })
  await person.press("Share no folders")
  await person.press("Write the answer myself")
  await person.fill({ "Your answer, in place of a model’s": "See the river." })
  await person.press("Send")
  await person.answers({ "First day": "2026-12-01", Days: "4", "See everything": true })
  await person.sees("4 busy days in Lisbon from 2026-12-01, kept in nowhere. See the river.")
})

test("a server that is busy", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Report from a busy server", { waits: "5" })
  await person.sees("Desk is busy and asked to come back later")
  await person.sees("The report is ready after 5 wait(s).")
})

test("a prompt and a resource", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Review code", { code: "x := 1\ny := 2" })
  await person.answers({ Go: true, "Is it safe?": true })
  await person.sees("Review this Go code for security. x := 1 y := 2")
  await person.calls("Quarterly report")
  await person.answers({ Q2: true })
  await person.sees("| Q2 | 1350 |")
})

test("several calls at once", async () => {
  const { person } = await scene.withGoServer()
  for (const location of ["Oslo", "Rome", "Bern"]) {
    await person.calls("Get the weather", { location })
    await person.sees(`in ${location} be in`)
  }
  await person.sees("Waiting for you 3")
  await person.press("/in Rome be in/") // in the list
  await person.focusIs("Desk asks")
  await person.answers({ "Imperial (°F, mph)": true }, "in Rome be")
  await person.sees("Waiting for you 2")
  await person.answers({}, "in Bern be")
  await person.sees("Waiting for you 1")
  await person.answers({}, "in Oslo be")
  await person.sees("Nothing. Questions appear here.")
  await person.sees("Rome: 64 °F, light rain, wind 9 mph.")
  await person.sees("Bern: 18 °C, light rain, wind 15 km/h.")
  await person.sees("Oslo: 18 °C, light rain, wind 15 km/h.")
})
