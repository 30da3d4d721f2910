// What the settings settle beforehand.

import { after, before } from "node:test"

import { inVSCode } from "./scene.js"

/** @import { Scene } from "./scene.js" */

/** @param {() => Scene} scene */
export function settled(scene) {
  before(async () => {
    await scene().closeWindows()
    scene().set({ "parley.questions": "announce", "parley.sampling": "always", "parley.roots": "always" })
  })
  after(() => scene().set({ "parley.questions": undefined, "parley.sampling": undefined, "parley.roots": undefined }))

  inVSCode(scene, "a question is announced, and what was settled is not asked", async (open) => {
    const person = await open()
    await person.calls("Desk", "Plan a trip")
    await person.reads("destination")
    await person.types("Oslo")
    await person.presses("Enter")
    // VS Code asks by itself whether an extension may use another's models.
    const asks = person.notification("Desk: Plan a trip waits for you: When do you want to go to Oslo")
    await person.allowsModels(asks.waitFor())
    await person.isLeftAlone()
    await person.seesWaiting(1)
    await person.photographs("announced")
    await person.clicks(asks, "Answer")
    await person.reads("Desk asks: When do you want to go to Oslo")
    await person.picks("Respond")
    await person.reads("First day")
    await person.types("2026-12-01")
    await person.presses("Enter")
    await person.reads("Days")
    await person.presses("Enter")
    await person.reads("Pace")
    await person.picks("Take it easy")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("3 relaxed days in Oslo from 2026-12-01, kept in file:///")
  })

  inVSCode(scene, "folders that are always shared are there for the first call", async (open) => {
    const person = await open()
    await person.calls("Files", "look")
    await person.seesDocument(`It may work on: ${person.folder}`)
  })

  inVSCode(scene, "a server that wants a token", async (open) => {
    const person = await open()
    await person.runs("Parley: Call a Tool, Prompt or Resource")
    await person.reads("The servers of your settings")
    await person.picks("Locked")
    await person.reads("Sign in to 127.0.0.1:")
    await person.picks("Use an access token…")
    await person.reads("It is sent to http://127.0.0.1:")
    await person.types("0123456789abcdef0123456789abcdef")
    await person.presses("Enter")
    await person.reads("What Locked offers")
    await person.finds("List the shared folders")
    await person.seesDocument("file:///")
  })
}
