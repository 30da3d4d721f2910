// What goes wrong, and servers that mean no good.

import assert from "node:assert/strict"

import { done, form } from "../../page/test/scripted-server.js"
import { isDuplicate, names, resolves } from "./keeping.js"
import { inVSCode } from "./scene.js"

/** @import { Scene, Script } from "./scene.js" */

const name = '{"name":{"type":"string","title":"Name"}}'

/** Asks, is lost, and then does it. @type {Script} */
export const shaky = { answer: (_, n) => [form("a", "What is it called?", name), "hang up", done("It is done.")][n] ?? "hang up" }

/** Does not know any more what it has asked, the first time that it is told. @type {Script} */
export const forgetful = { answer: (_, n) => [form("a", "What is it called?", name), '"error":{"code":-32602,"message":"What was that?"}', form("a", "What is it called?", name), done("It is done.")][n] ?? "hang up" }

/** What a window or a reader could take for something else than text, with a number to tell where it came from. @param {number} n */
const evil = (n) => `E${n}\u001b[31m\u202egpj\u2066\u0000\u007f<img src=x onerror=alert(1)>$(flame)[a](command:workbench.action.closeWindow) [b](https://evil.example/) end`

/** How it begins when it shows. @param {number} n */
const seen = (n) => `E${n}␛[31m<U+202E>gpj<U+2066>␀␡<img src=x onerror=alert(1)>`

/** Puts the n-th evil text where <n> stands in JSON. @param {string} pattern */
const quoted = (pattern) => pattern.replaceAll(/<(\d+)>/g, (_, n) => JSON.stringify(evil(Number(n))))

const tools = quoted('[{"name":<1>,"title":<2>,"description":<3>,"inputSchema":{"type":"object","properties":{<4>:{"type":"string","title":<5>,"description":<6>,"default":<7>}}}}]')
const rounds = [
  quoted(`"result":{"resultType":"input_required","requestState":<8>,"inputRequests":{<9>:{"method":"elicitation/create","params":{"message":<10>,"requestedSchema":{"type":"object","properties":{
    <11>:{"type":"string","title":<12>,"description":<13>},
    "pick":{"type":"string","title":<14>,"oneOf":[{"const":<15>,"title":<16>},{"const":"b","title":"B"}]}},"required":["pick"]}}}}}`),
  quoted('"error":{"code":-32000,"message":<17>}'),
  quoted('"result":{"content":[{"type":"text","text":<18>}]}'),
]

/** Whose every string is hostile. @type {Script} */
export const rogue = { tools, answer: (_, n) => rounds[n] ?? "hang up" }

/** @param {() => Scene} scene */
export function trouble(scene) {
  inVSCode(scene, "a server that is killed in the middle and comes back", async (open) => {
    const person = await open()
    await resolves(person, "900", "Frail")
    await isDuplicate(person, "900", "Frail")
    scene().frail.stop()
    await names(person, "1", "Frail")
    const said = person.notification("It was not carried out: the connection to the server was refused")
    await said.waitFor()
    await person.photographs("lost")
    await scene().startFrail()
    await person.clicks(said, "Try Again")
    await person.seesDocument("Work item 900 is now Resolved as a duplicate of 1.")
  })

  inVSCode(scene, "a tool call that is lost is sent again only if the person says so", async (open) => {
    const server = scene().scripted("Shaky")
    const person = await open()
    await person.calls("Shaky", "x")
    await person.reads("Shaky asks: What is it called?")
    await person.picks("Respond")
    await person.reads("Name")
    await person.types("Parley")
    await person.presses("Enter")
    await person.reads("This is what Shaky gets.")
    await person.picks("Send to Shaky")
    const said = person.notification("It cannot be told whether the tool has run")
    await person.clicks(said, "Send Again")
    await person.dialog("Send Shaky: x again?").waitFor()
    assert.equal(server.received.length, 2)
    await person.clicks(person.dialog("Send Shaky: x again?"), "Send Again")
    await person.seesDocument("It is done.")
  })

  inVSCode(scene, "a server that has forgotten is asked anew, and what was filled in is there again", async (open) => {
    const server = scene().scripted("Forgetful")
    const person = await open()
    await person.calls("Forgetful", "x")
    await person.reads("Forgetful asks: What is it called?")
    await person.picks("Respond")
    await person.reads("Name")
    await person.types("Parley")
    await person.presses("Enter")
    await person.reads("This is what Forgetful gets.")
    await person.picks("Send to Forgetful")
    const said = person.notification("does not accept the answers any more")
    await said.filter({ hasText: "The server says: What was that?" }).waitFor()
    await person.photographs("start-over")
    await person.clicks(said, "Start Over")
    await person.reads("Forgetful asks: What is it called?")
    await person.picks("Respond")
    await person.reads("This is what Forgetful gets.")
    await person.listed("Parley")
    await person.picks("Send to Forgetful")
    await person.seesDocument("It is done.")
    assert.equal(server.received.length, 4)
  })

  inVSCode(scene, "a server that is a program, of the era before: it waits, so its call cannot be parked", async (open) => {
    const person = await open()
    await person.calls("Program", "form")
    await person.reads("Program asks: Who?")
    await person.picks("Park for later")
    await person.reads("That did not work: the server waits for the answer, so the call cannot be parked now. Program asks: Who?")
    await person.picks("Respond")
    await person.reads("name")
    await person.types("a")
    await person.reads("name must be at least 2 characters")
    await person.types("Ann")
    await person.presses("Enter")
    await person.reads("This is what Program gets.")
    await person.picks("Send to Program")
    await person.seesDocument('"name":"Ann"')
  })

  inVSCode(scene, "every string of a server is text", async (open) => {
    const server = scene().scripted("Rogue")
    const person = await open()
    /** @type {string[]} */
    const opened = []
    person.page.on("popup", (page) => opened.push(page.url()))

    await person.runs("Parley: Call a Tool, Prompt or Resource")
    await person.reads("The servers of your settings")
    await person.finds("Rogue") // among more servers than the screen shows
    await person.reads("What Rogue offers")
    await person.listed(seen(2))
    await checkSafe()
    await person.presses("Enter")
    await person.reads(seen(5))
    await checkSafe()
    await person.presses("Enter")
    await person.reads(`Rogue asks: ${seen(10)}`)
    await person.photographs("hostile")
    await checkSafe()
    await person.opensCalls()
    await person.notification("waits for you: E10").waitFor()
    await checkSafe()
    await person.call(seen(10).slice(0, 20)).click()
    await person.reads(`Rogue asks: ${seen(10)}`)
    await person.picks("Respond")
    await person.reads(seen(12))
    await checkSafe()
    await person.types("fine")
    await person.presses("Enter")
    await person.reads(seen(14))
    await checkSafe()
    await person.presses("Enter")
    await person.reads("This is what Rogue gets.")
    await checkSafe()
    await person.picks("Send to Rogue")
    const said = person.notification("The server says: E17")
    await said.waitFor()
    await checkSafe()
    await person.clicks(said, "Try Again")
    await person.seesDocument("E18␛[31m")
    await person.photographs("hostile-result")
    await checkSafe()
    assert.deepEqual(opened, [])

    const { inputResponses, requestState } = server.received[1]?.params ?? {}
    assert.equal(requestState, evil(8), "requestState goes back as it came")
    assert.deepEqual(Object.keys(inputResponses), [evil(9)], "so does the key")
    assert.equal(inputResponses[evil(9)].content.pick, evil(15), "and a choice")

    /** Nothing hidden is on the page, and nothing that a click would follow or an icon that is not ours. */
    async function checkSafe() {
      const { html, links, icons } = await person.page.evaluate(() => ({
        html: document.body.outerHTML,
        links: [...document.querySelectorAll("a[href], .detected-link, .detected-link-active")].map((link) => link.outerHTML).filter((html) => html.includes("evil")),
        icons: document.querySelectorAll(".codicon-flame").length,
      }))
      const at = html.search(/[\u0000-\u0008\u001b\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      assert.equal(at, -1, `hidden characters in the window: ${JSON.stringify(html.slice(Math.max(at - 120, 0), at + 40))}`)
      assert.deepEqual({ links, icons }, { links: [], icons: 0 })
      assert.equal(await person.page.locator("img[src=x]").count(), 0)
    }
  })
}
