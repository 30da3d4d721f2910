// Forms as native UI, and the ways out of a question.

import assert from "node:assert/strict"

import { inVSCode } from "./scene.js"

/** @import { Scene, Script } from "./scene.js" */

/** Some of three colours. @type {Script} */
export const picky = {
  answer: (_, n) =>
    n
      ? '"result":{"content":[]}'
      : `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{
          "some":{"type":"array","title":"Colours","items":{"type":"string","enum":["red","green","blue"]},"minItems":1,"maxItems":2}},"required":["some"]}}}}}`,
}

/** Never answers before it was told what is to be made. @type {Script} */
export const patient = {
  answer: (_, n) =>
    n
      ? '"result":{"content":[]}'
      : `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"What is to be made?","requestedSchema":{"type":"object","properties":{
          "name":{"type":"string","title":"Name"},"disks":{"type":"integer","title":"Disks"},
          "some":{"type":"array","title":"Colours","items":{"type":"string","enum":["red","green","blue"]}}},"required":["name"]}}}}}`,
}

/** Ends in a bracket that would make a link, and looks like the editor's own words. */
const hostile = JSON.stringify(`Such as “x” $(check) Done ](command:workbench.action.quit) \u202e\u001b[2J ${"W".repeat(300)}`)

/** A form as SDKs make it, then a hostile one, then one that asks for a secret. @type {Script} */
export const made = {
  answer: (_, n) => {
    const ask = (/** @type {string} */ properties) => `"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Your order?","requestedSchema":{"type":"object","minProperties":1,"properties":${properties}}}}}}`
    const many = `{"id":{"type":"string","readOnly":true,"default":"A-7","title":"Number"},"amount":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string"}],"title":"Amount"},
      "tags":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"title":"Tags"},"size":{"enum":[1,"1",true,null],"title":"Size"},"code":{"type":"string","pattern":"^[A-Z]+$","examples":["ABC"],"default":"X","title":"Code"}}`
    const strange = `{"a":{"type":"string","title":${hostile},"pattern":${hostile},"examples":[${hostile}],"description":${hostile}},"b":{"title":"B","enum":[${Array.from({ length: 1024 }, (_, i) => i)}]},"c":{"title":"C","oneOf":[{"const":1,"title":${hostile}},{"const":2,"title":${hostile}}]}}`
    return [ask(many), '"result":{"content":[]}', ask(strange), ask('{"pin":{"type":"string","writeOnly":true}}')][n] ?? '"result":{"content":[]}'
  },
}

/** @param {() => Scene} scene */
export function questions(scene) {
  inVSCode(scene, "the forms that SDKs make, by keyboard, and hostile ones", async (open) => {
    const server = scene().scripted("Made")
    const person = await open()
    await person.calls("Made", "x")
    await person.reads("Number: A-7")
    await person.reads("The server checks more: minProperties.")
    await person.photographs("made-begin")
    await person.picks("Respond")
    await person.reads("Amount (optional)")
    await person.picks("A number")
    await person.reads("a number, more than 0")
    await person.types("0")
    await person.reads("Amount must be more than 0")
    await person.photographs("made-value")
    await person.types("7.50")
    await person.presses("Enter")
    await person.reads("Tags (optional)")
    for (const [i, tag] of ["red", "green"].entries()) {
      await person.picks("Add a value")
      await person.reads(`Value ${i + 1}.`)
      await person.types(tag)
      await person.presses("Enter")
      await person.listed(tag)
    }
    await person.photographs("made-list")
    await person.picks("Done")
    await person.reads("Size (optional)")
    await person.picks('"1"')
    await person.reads("Such as “ABC”. The server wants it to match “^[A-Z]+$”.")
    await person.types("")
    await person.photographs("made-hints")
    await person.presses("Enter")
    await person.reads("This is what Made gets.")
    await person.listed("left out: the server may use its default")
    await person.photographs("made-review")
    await person.picks("Send to Made")
    await person.seesDocument("It says nothing.")
    assert.deepEqual(server.received[1]?.params.inputResponses.k.content, { amount: 7.5, tags: ["red", "green"], size: "1" })

    await person.calls("Made", "x")
    await person.reads("Your order?")
    await person.picks("Respond")
    await person.reads("WWW")
    await person.photographs("made-hostile")
    await person.presses("Enter")
    await person.reads("B (optional)")
    await person.finds("1023")
    await person.reads("C (optional)")
    await person.photographs("made-alike")
    await person.listed("(2)")
    await person.picks("Leave it out")
    await person.reads("This is what Made gets.")
    await person.photographs("made-hostile-review")
    await person.picks("Send to Made")
    await person.notification("Parley refused what the server asks for").waitFor()
    await person.photographs("made-refused")
  })

  inVSCode(scene, "every kind of field, checked at each keystroke, with a way back", async (open) => {
    const person = await open()
    await person.calls("Desk", "Provision a virtual machine")
    await person.reads("size")
    await person.picks("small")
    await person.reads("region")
    await person.presses("Enter") // the default

    await person.reads("Desk asks: A small machine in westeurope costs 12 EUR a month")
    await person.seesWaiting(1)
    await person.photographs("form-begin")
    await person.picks("Respond")
    await person.reads("I accept the monthly cost")
    await person.picks("Yes")
    await person.reads("Data disks (optional) — A whole number, 1 to 8.")
    await person.types("99")
    await person.reads("Data disks must be at most 8")
    await person.photographs("form-invalid")
    await person.types("2x")
    await person.reads("Data disks must be a whole number")
    await person.presses("Enter") // in vain
    await person.types("3")
    await person.reads("Data disks (optional)")
    await person.turns("Back")
    await person.reads("I accept the monthly cost")
    await person.picks("Yes")
    await person.reads("Data disks")
    assert.equal(await person.typed(), "3", "what was typed is kept")
    await person.presses("Enter")
    await person.reads("Tags (optional)")
    await person.ticks("Test")
    await person.photographs("form-choices")
    await person.agrees()

    await person.reads("This is what Desk gets.")
    await person.photographs("form-review")
    await person.picks("Data disks") // to change it
    await person.reads("Data disks (optional)")
    await person.types("4")
    await person.presses("Enter")
    await person.reads("Tags (optional)")
    await person.agrees()
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("Provisioned a small machine in westeurope with 4 data disk(s) and tags test for 32 EUR a month.")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "as few and as many as are asked for", async (open) => {
    const server = scene().scripted("Picky")
    const person = await open()
    await person.calls("Picky", "x")
    await person.reads("Picky asks: Which?")
    await person.picks("Respond")
    await person.reads("Colours — Choose 1 to 2.")
    await person.agrees()
    await person.reads("Colours must be at least 1 choice")
    for (const colour of ["red", "green", "blue"]) await person.ticks(colour)
    await person.agrees()
    await person.reads("Colours must be at most 2 choices")
    await person.ticks("red")
    await person.agrees()
    await person.reads("This is what Picky gets.")
    await person.picks("Send to Picky")
    await person.seesDocument("It says nothing.")
    const { content } = server.received[1]?.params.inputResponses.k
    assert.deepEqual(content, { some: ["green", "blue"] })
  })

  inVSCode(scene, "Esc puts a question aside, with what was filled in, wherever it is pressed", async (open) => {
    const { received } = scene().scripted("Patient")
    const person = await open()
    await person.calls("Patient", "x")
    const waits = person.notification("Patient: x waits for you: What is to be made?")
    const leaves = async () => {
      await person.presses("Escape")
      await person.isLeftAlone()
      await person.seesWaiting(1)
      await waits.waitFor()
    }
    const asked = () => person.reads("Patient asks: What is to be made?")
    await asked()
    await leaves()
    await person.photographs("aside")
    await person.clicks(waits, "Answer")
    await asked()
    await person.picks("Respond")
    await person.reads("Name")
    await person.types("Ann")
    await person.presses("Enter")
    await person.reads("Disks")
    await person.types("1x") // in the middle of a number
    await leaves()

    await person.page.locator(`.statusbar-item[id="parley-mcp.parley.parley.waiting"]`).click()
    await person.reads("Your calls")
    await person.picks("x")
    await asked()
    await person.listed("What you filled in before is there again")
    await person.picks("Respond")
    await person.reads("Disks") // and not the name again
    assert.equal(await person.typed(), "1x")
    await person.types("2")
    await person.presses("Enter")
    await person.reads("Colours")
    await person.ticks("green")
    await person.ticks("blue")
    await leaves()

    await person.opensCalls()
    await person.call("What is to be made?").click()
    await asked()
    await person.picks("Respond")
    await person.reads("Colours")
    await person.agrees() // to what was ticked
    await person.reads("This is what Patient gets.")
    await leaves()

    await person.runs("Parley: Answer a Question")
    await person.reads("Your calls")
    await person.picks("x")
    await asked()
    await person.picks("Respond")
    await person.reads("This is what Patient gets.")
    assert.equal(received.length, 1, "the server was told nothing")
    await person.picks("Send to Patient")
    await person.seesDocument("It says nothing.")
    assert.deepEqual(received[1]?.params.inputResponses.k, { action: "accept", content: { name: "Ann", disks: 2, some: ["green", "blue"] } })
  })

  inVSCode(scene, "Esc in the arguments of a call, which are there the next time", async (open) => {
    const person = await open()
    await person.calls("Desk", "Update a work item")
    await person.reads("id")
    await person.types("4712")
    await person.presses("Enter")
    await person.reads("state")
    await person.types("Resol")
    await person.presses("Escape")
    await person.isLeftAlone()
    await person.calls("Desk", "Update a work item")
    await person.reads("id")
    assert.equal(await person.typed(), "4712")
    await person.presses("Enter")
    await person.reads("state")
    assert.equal(await person.typed(), "Resol")
    await person.types("Closed")
    await person.presses("Enter")
    await person.seesDocument("Work item 4712 is now Closed.")
  })

  inVSCode(scene, "declining and dismissing", async (open) => {
    const person = await open()
    const asked = async () => {
      await person.calls("Desk", "Get the weather")
      await person.reads("location")
      await person.types("Oslo")
      await person.presses("Enter")
      await person.reads("Desk asks: Which units should the weather in Oslo be in?")
    }
    await asked()
    await person.picks("Decline")
    await person.seesDocument("Oslo: 18 °C")
    await asked()
    await person.picks("Dismiss")
    await person.seesDocument("The user cancelled: no weather for Oslo.")
    await asked()
    await person.picks("Respond")
    await person.reads("Units")
    await person.picks("Metric (°C, km/h)")
    await person.reads("This is what Desk gets.")
    await person.picks("Dismiss")
    await person.seesDocument("The user cancelled: no weather for Oslo.")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "two calls at once, and a question that is put aside", async (open) => {
    const person = await open()
    await person.calls("Desk", "Get the weather")
    await person.reads("location")
    await person.types("Oslo")
    await person.presses("Enter")
    await person.reads("Desk asks: Which units should the weather in Oslo be in?")
    // The palette takes the place of the question, which waits and is no "cancel".
    await person.calls("Desk", "Update a work item")
    await person.reads("id")
    await person.types("4711")
    await person.presses("Enter")
    await person.reads("state")
    await person.types("Resolved")
    await person.presses("Enter")
    await person.reads("Desk asks: How was work item 4711 resolved?")
    await person.seesWaiting(2)
    await person.opensCalls()
    await person.photographs("two-calls")
    await person.call("Which units should the weather in Oslo be in?").click()
    await person.reads("Desk asks: Which units should the weather in Oslo be in?")
    await person.picks("Respond")
    await person.reads("Units")
    await person.picks("Metric (°C, km/h)")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("Oslo: 18 °C")
    await person.seesWaiting(1)
    await person.call("How was work item 4711 resolved?").click()
    await person.reads("Desk asks: How was work item 4711 resolved?")
    await person.picks("Respond")
    await person.reads("Resolution")
    await person.picks("Fixed")
    await person.reads("This is what Desk gets.")
    await person.picks("Send to Desk")
    await person.seesDocument("Work item 4711 is now Resolved as Fixed.")
    await person.seesWaiting(0)
  })

  inVSCode(scene, "stopping a call, from its question and from its notification", async (open) => {
    const person = await open()
    for (const stop of [
      () => person.picks("Stop this call"),
      () => person.clicks(person.notification("It waits for your answer"), "Cancel"),
      async () => {
        await person.picks("Respond")
        await person.reads("Units")
        await person.turns("Stop this call")
      },
    ]) {
      await person.calls("Desk", "Get the weather")
      await person.reads("location")
      await person.types("Oslo")
      await person.presses("Enter")
      await person.reads("Desk asks")
      await stop()
      await person.isLeftAlone()
      await person.seesWaiting(0)
    }
  })
}
