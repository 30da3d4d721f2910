// A window that does not see the key that calls are sealed with: in a browser it
// is among what that browser keeps.

import test from "node:test"

/** @import { Scene } from "./scene.js" */

/** @param {() => Scene} scene */
export function keyless(scene) {
  test("the person decides about the key, and is asked again when they want something", async () => {
    const person = await scene().elsewhere()
    try {
      const asked = person.notification("sealed with a key that this window cannot see")
      await asked.waitFor()
      await person.photographs("keyless")
      await person.runs("Notifications: Clear All Notifications")
      await asked.waitFor({ state: "hidden" })
      await person.runs("Parley: Call a Tool, Prompt or Resource")
      await person.clicks(asked, "Reload Window")
      await person.ready()
      await asked.waitFor()
      await person.runs("Parley: Show Calls")
      await person.clicks(asked, "Make a New Key")
      await person.notification("nothing waits for you").waitFor()
      await person.calls("Desk", "List the shared folders")
      await person.reads("Desk asks which folders it may work on.")
      await person.agrees()
      await person.seesDocument("file:///")
    } catch (error) {
      await person.photographs("failed-keyless")
      throw error
    } finally {
      await person.context.close()
    }
  })
}
