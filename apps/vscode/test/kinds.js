// The questions that are no forms: pages, prompts for a model, folders; and all
// of them at once.

import assert from "node:assert/strict"

import { inVSCode } from "./scene.js"

/** @import { Page } from "playwright-core" */
/** @import { Scene } from "./scene.js" */

/** @param {() => Scene} scene */
export function kinds(scene) {
  inVSCode(scene, "a page is opened with consent only, and only once", async (open) => {
    const person = await open()
    await person.calls("Desk", "Connect an account")
    await person.reads("account")
    await person.presses("Enter")
    const asks = person.dialog("Desk wants you to open a page on 127.0.0.1")
    await asks.waitFor()
    const text = await asks.innerText()
    const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\/connect\/\S+/.exec(text) ?? []
    assert.match(text, /It leads to:\s+127\.0\.0\.1/)
    assert.match(text, /The whole address:\s+http:/)
    assert.match(text, /This page is on the computer that VS Code works on/)
    await person.photographs("page")
    // Other tests open windows, too.
    const isIt = (/** @type {Page} */ page) => page.waitForURL(/\/connect\//).then(() => true, () => false)
    const opened = person.context.waitForEvent("page", isIt)
    await person.clicks(asks, "Open the Page")
    const page = await opened
    // VS Code as a server reaches this machine's ports by paths of its own.
    assert.ok(address && page.url().endsWith(new URL(address).pathname), "the address that was shown")

    // Nobody has pressed the page's button yet: nothing is opened by itself.
    await person.reads("Desk is still waiting for what you do on its page at 127.0.0.1")
    await person.photographs("page-again")
    await person.picks("I’m done: check again")
    await person.isAt("round 3")
    await person.reads("Desk is still waiting")
    assert.equal(person.context.pages().filter((other) => other.url() === page.url()).length, 1)
    await page.getByRole("button", { name: "Connect" }).click()
    await page.getByText("account is connected").waitFor()
    await page.close()
    await person.picks("I’m done: check again")
    await person.seesDocument("account is connected.")
  })

  inVSCode(scene, "a page that is declined, one that is dismissed, and one that is put aside by Esc", async (open) => {
    const person = await open()
    const escapes = async () => {
      await person.presses("Escape")
      const waits = person.notification("Desk: Connect an account waits for you")
      await waits.waitFor()
      await person.seesWaiting(1)
      await person.clicks(waits, "Answer")
      await person.dialog("wants you to open").waitFor()
    }
    for (const [leave, said] of /** @type {const} */ ([
      [() => person.clicks(person.dialog("wants you to open"), "Decline"), "declined"],
      [() => person.clicks(person.dialog("wants you to open"), "Dismiss"), "cancelled"],
      [() => escapes().then(() => person.clicks(person.dialog("wants you to open"), "Decline")), "declined"],
    ])) {
      await person.calls("Desk", "Connect an account")
      await person.reads("account")
      await person.presses("Enter")
      await person.dialog("wants you to open").waitFor()
      await leave()
      await person.seesDocument(said)
    }
  })

  inVSCode(scene, "a prompt is seen before a model gets it, and its answer before the server does", async (open) => {
    const person = await open()
    await person.calls("Desk", "Summarise a text")
    await person.reads("text")
    await person.types("The quick brown fox jumps over the lazy dog.")
    await person.presses("Enter")
    await person.reads("Desk wants a model’s answer to the prompt that is open in the editor.")
    await person.seesDocument("system: You summarise texts in one sentence.")
    await person.seesDocument("The quick brown fox jumps over the lazy dog.")
    await person.photographs("prompt")
    await person.picks("Give it to Counter")
    // VS Code asks by itself whether an extension may use another's models.
    await person.allowsModels(person.reads("Counter says: I was given 2 messages"))
    await person.photographs("prompt-answer")
    await person.picks("Change it")
    await person.reads("as you change it")
    await person.types("A fox jumps.")
    await person.presses("Enter")
    await person.seesDocument("A fox jumps.")
  })

  inVSCode(scene, "a person can write what a model would", async (open) => {
    const person = await open()
    await person.calls("Desk", "Summarise a text")
    await person.reads("text")
    await person.types("Nothing.")
    await person.presses("Enter")
    await person.reads("Desk wants a model’s answer")
    await person.picks("Write the answer myself")
    await person.reads("in place of a model’s")
    await person.presses("Enter") // in vain
    await person.reads("Write what the model would say.")
    await person.types("Written by hand.")
    await person.presses("Escape") // it waits, with what was written
    await person.clicks(person.notification("Desk: Summarise a text waits for you"), "Answer")
    await person.reads("in place of a model’s")
    assert.equal(await person.typed(), "Written by hand.")
    await person.presses("Enter")
    await person.seesDocument("Written by hand.")
  })

  inVSCode(scene, "folders are shared by choice", async (open) => {
    const person = await open()
    await person.calls("Desk", "List the shared folders")
    await person.reads("Desk asks which folders it may work on.")
    await person.photographs("folders")
    await person.agrees()
    await person.seesDocument("file:///")
    await person.calls("Desk", "List the shared folders")
    await person.reads("Desk asks which folders")
    await person.ticks(person.folder.slice(person.folder.lastIndexOf("/") + 1))
    await person.presses("Escape")
    await person.clicks(person.notification("Desk: List the shared folders waits for you"), "Answer")
    await person.reads("Desk asks which folders")
    await person.agrees()
    await person.seesDocument("The client shares no roots.")
  })

  inVSCode(scene, "folders are shared before a server is asked what it offers", async (open) => {
    const person = await open()
    await person.beginsToCall()
    await person.picks("Files")
    await person.reads("Files asks which folders it may work on.")
    await person.agrees()
    await person.reads("What Files offers")
    await person.finds("look")
    await person.seesDocument(`It may work on: ${person.folder}`)
  })

  inVSCode(scene, "three kinds in one round", async (open) => {
    const person = await open()
    await person.calls("Desk", "Plan a trip")
    await person.reads("destination")
    await person.types("Oslo")
    await person.presses("Enter")
    await person.reads("Desk asks which folders")
    await person.agrees()
    await person.reads("Desk wants a model’s answer")
    await person.picks("Write the answer myself")
    await person.reads("in place of a model’s")
    await person.types("See the fjord.")
    await person.presses("Enter")
    await person.reads("Desk asks: When do you want to go to Oslo")
    await person.picks("Respond")
    await person.reads("First day — A date")
    await person.types("2026-13-01")
    await person.reads("First day must be")
    await person.types("2026-12-01")
    await person.presses("Enter")
    await person.reads("Days")
    await person.presses("Enter")
    await person.reads("Pace")
    await person.picks("See everything")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("3 busy days in Oslo from 2026-12-01, kept in file:///")
  })

  inVSCode(scene, "a task tells how it stands, asks, and goes on after a reload", async (open) => {
    const person = await open()
    await person.calls("Desk", "Provision a machine")
    await person.reads("name")
    await person.types("web-1")
    await person.presses("Enter")
    await person.reads("Desk asks: web-1 costs 48 EUR a month.")
    await person.picks("Respond")
    await person.reads("I accept")
    await person.picks("Yes")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.notification(/The server works on a task: .*step \d of 5/).waitFor()
    await person.photographs("task")
    await person.reload()
    await person.seesWaiting(1)
    await person.opensCalls()
    await person.goesOn("Provision a machine", "Desk asks: web-1 is installed. Who may log in?")
    await person.picks("Respond")
    await person.reads("User name")
    await person.types("ann")
    await person.presses("Enter")
    await person.reads("With a password, too")
    await person.picks("No")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("Provisioned web-1 for 48 EUR a month.")
  })

  inVSCode(scene, "a prompt and a resource ask, too", async (open) => {
    const person = await open()
    await person.calls("Desk", "Quarterly report")
    await person.reads("Desk asks")
    await person.picks("Decline")
    await person.seesDocument("| Quarter | Orders |")
    await person.calls("Desk", "Review code")
    await person.reads("code")
    await person.types("x := 1")
    await person.presses("Enter")
    await person.reads("Desk asks")
    await person.picks("Decline")
    await person.seesDocument("x := 1")
  })
}
