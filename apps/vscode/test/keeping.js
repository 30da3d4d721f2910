// Calls that wait: parked, reloaded, discarded, taken over.

import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { inVSCode } from "./scene.js"

/** @import { Scene } from "./scene.js" */
/** @import { Person } from "./workbench.js" */

/** Asks for a work item to be resolved. @param {Person} person @param {string} id @param {string} [server] */
export async function resolves(person, id, server = "Desk") {
  await person.calls(server, "Update a work item")
  await person.reads("id")
  await person.types(id)
  await person.presses("Enter")
  await person.reads("state")
  await person.types("Resolved")
  await person.presses("Enter")
  await person.reads(`${server} asks: How was work item ${id} resolved?`)
}

/** Answers the first question of it. @param {Person} person @param {string} id @param {string} [server] */
export async function isDuplicate(person, id, server = "Desk") {
  await person.picks("Respond")
  await person.reads("Resolution")
  await person.picks("Duplicate")
  await person.reads(`This is what ${server} gets.`)
  await person.picks(`Send to ${server}`)
  await person.reads(`${server} asks: Which other work item does ${id} duplicate?`)
}

/** And the second. @param {Person} person @param {string} original @param {string} [server] */
export async function names(person, original, server = "Desk") {
  await person.picks("Respond")
  await person.reads("Original work item")
  await person.types(original)
  await person.presses("Enter")
  await person.reads("Comment")
  await person.presses("Enter")
  await person.reads(`This is what ${server} gets.`)
  await person.picks(`Send to ${server}`)
}

/** @param {() => Scene} scene */
export function keeping(scene) {
  inVSCode(scene, "a reload in the middle, and nothing is asked twice", async (open) => {
    const person = await open()
    await resolves(person, "815")
    await isDuplicate(person, "815")
    await person.seesWaiting(1)
    const kept = keptFiles(scene().editor.data)
    assert.ok(kept.length, "the call is kept while it runs")
    for (const text of kept) assert.doesNotMatch(text, /item 815|Duplicate|resolution|update_work_item|requestState/, "what is kept is sealed")

    await person.reload()
    await person.seesWaiting(1)
    await person.clicks(person.notification("A call of earlier waits for you."), "Show")
    await person.call("Which other work item does 815 duplicate?").waitFor()
    await person.goesOn("Which other work item does 815 duplicate?", "Desk asks: Which other work item does 815 duplicate?")
    await names(person, "4711")
    await person.seesDocument("Work item 815 is now Resolved as a duplicate of 4711.")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "parked from a step, listed, resumed", async (open) => {
    const person = await open()
    await resolves(person, "816")
    await person.picks("Respond")
    await person.reads("Resolution")
    await person.turns(/Park for later/)
    await person.isLeftAlone()
    await person.opensCalls()
    await person.call("parked").waitFor()
    await person.seesWaiting(1)
    await person.photographs("parked")
    await person.opens("Parley: Show Calls", "Your calls, the oldest first.")
    await person.picks("Update a work item")
    await person.reads("Desk asks: How was work item 816 resolved?")
    await isDuplicate(person, "816")
    await names(person, "1")
    await person.seesDocument("Work item 816 is now Resolved as a duplicate of 1.")
  })

  inVSCode(scene, "parked and discarded", async (open) => {
    const person = await open()
    await resolves(person, "817")
    await person.picks("Park for later")
    await person.opensCalls()
    await person.call("parked").waitFor()
    await person.opens("Parley: Discard a Parked Call", "Your calls, the oldest first.")
    await person.picks("Update a work item")
    await person.clicks(person.dialog("Discard Desk: Update a work item?"), "Discard")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "another window takes a call over", async (open) => {
    const person = await open()
    await resolves(person, "818")
    const there = await person.another()
    await there.seesWaiting(1)
    await there.opensCalls()
    await there.call("in another window").waitFor()
    await there.call("Update a work item").click()
    await there.clicks(there.dialog("Another window has Desk: Update a work item. Take it over?"), "Take It Over")
    await there.reads("Desk asks: How was work item 818 resolved?")
    await person.notification("continues in another window").waitFor()
    await person.isLeftAlone()
    await isDuplicate(there, "818")
    await names(there, "2")
    await there.seesDocument("Work item 818 is now Resolved as a duplicate of 2.")
  })
}

/** What the extension has written, of all windows. @param {string} data of the editor */
function keptFiles(data) {
  const storage = join(data, "User/globalStorage/parley-mcp.parley/calls")
  return readdirSync(storage, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      try {
        return readFileSync(join(storage, name), "utf8")
      } catch {
        return [] // it was just changed
      }
    })
}
