// The same extension in a worker of the browser: no programs, no folders on a
// disk, and everything else.

import assert from "node:assert/strict"
import { after, before } from "node:test"

import { isDuplicate, names, resolves } from "./keeping.js"
import { inVSCode } from "./scene.js"

/** @import { Scene } from "./scene.js" */

/** @param {() => Scene} scene */
export function web(scene) {
  before(async () => {
    await scene().closeWindows()
    scene().set({ "remote.extensionKind": { "parley-mcp.parley": ["web"] } })
  })
  after(() => scene().set({ "remote.extensionKind": undefined }))

  inVSCode(scene, "a call across a reload", async (open) => {
    const person = await open()
    await resolves(person, "1001")
    await isDuplicate(person, "1001")
    await person.reload()
    await person.seesWaiting(1)
    await person.opensCalls()
    await person.goesOn("Which other work item does 1001 duplicate?", "Desk asks: Which other work item does 1001 duplicate?")
    await names(person, "3")
    await person.seesDocument("Work item 1001 is now Resolved as a duplicate of 3.")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "folders that are on no disk are not shared, and programs are not started", async (open) => {
    const person = await open()
    await person.calls("Desk", "List the shared folders")
    await person.reads("Desk asks for folders, and none is open here that it could reach.")
    await person.agrees()
    await person.seesDocument("The client shares no roots.")
    await person.runs("Parley: Call a Tool, Prompt or Resource")
    await person.reads("The servers of your settings")
    await person.picks("Program")
    await person.notification("Program is a program, and VS Code starts none where it runs in a browser").waitFor()
  })

  inVSCode(scene, "the log tells what happened, and nothing of what was said", async (open) => {
    const person = await open()
    await resolves(person, "1002")
    await person.picks("Decline")
    await person.seesDocument("unchanged")
    await person.runs("Parley: Show the Log")
    const log = await person.seesLog("answered, leg 1, round 1")
    assert.match(log, /Desk: call \w{6}: done, leg 2, round 1/)
    assert.doesNotMatch(log, /1002|Resolved|resolution|work item/i)
    await person.photographs("log")
  })
}
