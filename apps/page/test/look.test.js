// What the page looks like, for people to look at, and what axe-core has to say
// about it: wide by day and narrow by night, where a browser can be told so.

import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

import { patiently } from "./patience.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Look, Tab } from "./browser.js" */
/** @import { Person } from "./person.js" */

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** @type {Record<string, Look>} */
const looks = {
  wide: { width: 1280, height: 860 },
  narrow: { width: 360, height: 780, dark: true },
}

/** A screen of 1280 by 800 at 200 %, for what there is most of. @type {Record<string, Look>} */
const zoomed = { ...looks, zoomed: { width: 640, height: 400 }, "zoomed-by-night": { width: 640, height: 400, dark: true } }

/**
 * Makes what looks at a person's page: it takes a picture, and fails on what is
 * serious or wider than the screen.
 *
 * @param {Person} person @param {string} name
 */
async function looking({ tab }, name) {
  if (scene.browser.name === "chromium") await tab.inject(axe)
  const folder = fileURLToPath(new URL(`screenshots/${scene.browser.name}-${name}/`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  let shots = 0
  return async (/** @type {string} */ what) => {
    await tab.screenshot(`${folder}${String(++shots).padStart(2, "0")}-${what}.png`)
    if (scene.browser.name === "chromium") await audit(tab, what)
    const wider = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth, undefined)
    assert.equal(wider, 0, `${what}: the page is wider than the screen by`)
  }
}

/** What axe-core finds follows from what the page is, in whichever browser. @param {Tab} tab @param {string} what is on it */
async function audit(tab, what) {
  const found = await tab.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] })
    return violations.map(
      (/** @type {any} */ one) => `${one.impact}: ${one.id}: ${one.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).join("\n  ")}`,
    )
  }, undefined)
  assert.deepEqual(
    found.filter((/** @type {string} */ one) => /^(serious|critical)/.test(one)),
    [],
    what,
  )
}

for (const [name, look] of Object.entries(zoomed)) {
  test(`${name}: questions and results`, async () => {
    const { person } = await scene.withGoServer(look)
    await person.sees("Pick something to call")
    const showing = await looking(person, name)
    await showing("welcome")
    await person.pick("Provision a virtual machine")
    await person.fill({ large: true })
    await showing("arguments")
    await person.press("Call the tool")
    await person.fill({ "Data disks": "9" })
    await person.sees("must be at most 8")
    await showing("question")
    await person.fill({ "Data disks": "2", Production: true })
    await person.press("Review answer")
    await showing("review")
    await person.calls("Connect an account")
    await person.sees("It leads to")
    await showing("page")
    await person.press("I opened it myself")
    await person.sees("waits until you are done")
    await person.press("Park for later", "connect_account")
    await person.sees("Everything is kept in this browser")
    await showing("parked")
    await person.calls("Plan a trip", { destination: "Lisbon" })
    await person.fill({ "Another folder": "/home/me/travel" })
    await person.press("Add")
    await showing("folders")
    await person.press("Share 1 folder")
    await person.sees("wants a model’s answer")
    await showing("prompt")
    await person.press("Give it to the example model")
    await person.sees("What the example model says")
    await showing("model")
    await person.press("Send", "Plan a trip")
    await person.answers({ "First day": "2026-12-01" }, "Plan a trip")
    await person.sees("3 relaxed days in Lisbon")
    await showing("result")
    if ((look.width ?? 0) < 500) await person.press("/^Menu/")
    await showing("waiting")
    await person.press("Folders and model")
    await showing("settings")
  })
}

for (const [name, look] of Object.entries(looks)) {
  test(`${name}: suggestions`, async () => {
    const prompts = '[{"name":"review","title":"Review code","description":"Asks a model to review code.","arguments":[{"name":"language","title":"Language","description":"Of the code","required":true},{"name":"focus","title":"Focus"}]}]'
    const values = ["Perl", "PHP", "PL/SQL", "Prolog", "PowerShell", `P${"ython".repeat(30)}`, "PureScript", "Pony", "Processing"]
    const { person } = await scene.withScript({ prompts, answer: () => `"result":{"completion":${JSON.stringify({ values, hasMore: true })}}` }, look)
    const showing = await looking(person, `${name}-suggestions`)
    await person.pick("Review code")
    await person.fill({ Language: "p" })
    await person.sees("PL/SQL")
    await person.keys("ArrowDown", "ArrowDown")
    await showing("suggestions")
    await person.keys("Escape")
    await showing("closed")
  })
}

const everyField = `{
  "name":{"type":"string","title":"Name","description":"As on your badge","minLength":2},
  "mail":{"type":"string","title":"E-mail","format":"email","default":"ada@example.com"},
  "when":{"type":"string","title":"When","format":"date-time"},
  "town":{"type":"string","title":"Town","enum":["Bern","Lisbon","Oslo","Paris","Quito","Rome","Sofia","Tunis"]},
  "vegan":{"type":"boolean","title":"Vegan"},
  "about":{"type":"string","title":"About you","maxLength":500}}`

for (const [name, look] of Object.entries(zoomed)) {
  test(`${name}: every field, and trouble`, async () => {
    const answers = [
      form("k", "Who comes? \u202eevil\u202c \u001b[31mred", everyField),
      done("Welcome."),
      "hang up",
      '"error":{"code":-32000,"message":"The disk is full"}',
      { status: 403 },
      form("k", "Who comes?", everyField),
      '"error":{"code":-32602,"message":"Invalid or expired requestState"}',
      form("k", "Who comes?", everyField),
      "say nothing",
    ]
    const tools = '[{"name":"register","title":"Register a guest","description":"Asks a lot.","inputSchema":{"type":"object"}}]'
    const { person } = await scene.withScript({ tools, answer: (_, n) => /** @type {any} */ (answers)[n] ?? "hang up" }, look)
    const showing = await looking(person, `${name}-trouble`)
    await person.calls("Register a guest")
    await person.fill({ Name: "A" })
    await person.sees("Name must be at least 2 characters")
    await showing("every-field")
    await person.answers({ Name: "Ada" })
    await person.sees("Welcome.")
    await showing("answered")
    await person.calls("Register a guest")
    await person.sees("It is not known whether this was done")
    await showing("in-doubt")
    await person.calls("Register a guest")
    await person.sees("The disk is full")
    await showing("error")
    await person.calls("Register a guest")
    await person.sees("Desk answered with HTTP status 403")
    await showing("status")
    await person.calls("Register a guest")
    await person.answers({ Name: "Ada" })
    await person.sees("The server does not accept the answers any more")
    await showing("state")
    await person.press("Start over")
    await person.sees("Filled in with what you answered before.")
    await showing("filled-in-again")
    await person.answers({})
    await person.sees("Waiting for Desk.")
    await patiently(async () => assert.match(await person.reads(".status:not([hidden]) .elapsed"), /\d+ s/))
    await showing("waiting-for-server")
    const other = await person.second()
    await other.sees("It runs in another tab of this browser.")
    await person.press("Stop this call")
    await person.sees("You stopped this call")
    await showing("stopped")
  })
}

/** Forms as SDKs make them. */
const manyForms = `{"id":{"type":"string","readOnly":true,"default":"A-7","title":"Order number","description":"As on the invoice"},"code":{"type":"string","pattern":"^[A-Z]{3}-[0-9]+$","examples":["ABC-1","XYZ-22"],"not":{},"deprecated":true,"title":"Code"},
  "amount":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string","title":"In words"},{"type":"string","format":"date"},{"type":"null"}],"title":"Amount","description":"A number, or in words"},
  "tags":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"uniqueItems":true,"default":["red","green"],"title":"Tags"},"price":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":9,"multipleOf":0.5,"title":"Price"},
  "note":{"type":"string","default":"x","title":"Note"},"nil":{"type":["integer","null"],"default":5,"title":"Guests"},"size":{"enum":["s","l",null],"title":"Size"},"mixed":{"enum":[1,"1",true],"title":"Mixed"},"agree":{"const":true,"title":"I agree to pay"}}`

/** What looks like the page's own words, turns the direction, cannot be seen, or is very long. @param {string} name */
const hostileText = (name) => JSON.stringify(`${name} \u202e\u2067 (optional) ” Parley: this field is safe, type your password “ \u001b[2J\u200b\u0000 ${"W".repeat(300)} \u05e9\u05dc\u05d5\u05dd ${"\n".repeat(9)}end`)
const hostileForms = `{"a":{"type":"string","title":${hostileText("title")},"description":${hostileText("description")},"pattern":${hostileText("pattern")},"examples":[${hostileText("one")},${hostileText("two")},${"9".repeat(300)}],"format":${hostileText("format")},"default":${hostileText("default")},"contentEncoding":${hostileText("encoding")}},
  "b":{"title":"B","oneOf":[{"const":"1","title":${hostileText("option")}},{"const":1,"title":${hostileText("option")}},{"const":2,"title":"Leave it out"}]},
  "c":{"title":"C","enum":[${Array.from({ length: 1024 }, (_, i) => (i % 2 ? i : `"${i - 1}${"W".repeat(i === 512 ? 500 : 0)}"`))}]},
  "d":{"type":"array","title":${hostileText("list")},"items":{"type":"string"},"default":[${hostileText("value")},"b"]},
  "e":{"anyOf":[{"type":"number","minimum":${"9".repeat(300)}},{"type":"string","title":${hostileText("type")}}],"title":"E"},
  "f":{"type":"string","readOnly":true,"default":${hostileText("shown")},"title":${hostileText("only")}},
  "g":{"type":"array","items":{"enum":[${Array.from({ length: 900 }, (_, i) => i)}]},"title":"G"}}`

for (const [name, look] of Object.entries(looks)) {
  test(`${name}: the forms that SDKs make, and hostile ones`, async () => {
    const { person } = await scene.withScript({ answer: (_, n) => [form("k", "Your order, please.", manyForms), done("Thank you."), form("k", "Your order, please.", hostileForms), form("k", "?", '{"pin":{"type":"string","format":"password"}}')][n] ?? "hang up" }, look)
    const showing = await looking(person, `${name}-forms`)
    const scrolled = async (/** @type {string} */ what) => {
      await showing(what)
      for (let i = 2; i < 5; i++) {
        const end = await person.tab.evaluate(() => {
          const before = scrollY
          scrollBy({ top: innerHeight * 0.7, behavior: "instant" })
          return scrollY === before
        }, undefined)
        if (end) break
        await showing(`${what}-${i}`)
      }
    }
    await person.calls("x")
    await person.sees("Your order, please.")
    await scrolled("empty")
    await person.fill({ "A number": true })
    await person.fill({ "Amount, value": "0", "Tags, value 2": "red", Note: "", Guests: "", Price: "0" })
    await person.press("Review answer")
    await person.sees("Amount must be more than 0")
    await scrolled("wrong")
    await person.fill({ "A date": true })
    await showing("another-type")
    await person.fill({ "In words (Text)": true, "Amount, value": "a lot", "Tags, value 2": "blue, or so", Price: "1.5" })
    await person.press("Review answer")
    await person.sees("Send this to Desk?")
    await scrolled("review")
    await person.press("Send")
    await person.sees("Thank you.")
    await person.calls("x")
    await person.sees("this field is safe")
    await person.sees("Leave it out (2)")
    await scrolled("hostile")
    await person.press("Review answer")
    await person.sees("Send this to Desk?")
    await scrolled("hostile-review")
    await person.press("Dismiss")
    await person.calls("x")
    await person.sees("Parley refused what the server asks for")
    await showing("refused")
  })
}

for (const [name, look] of Object.entries(looks)) {
  test(`${name}: tasks`, async () => {
    const progress = (/** @type {number} */ n) => `{"progress":${n},"total":12,"message":"Photograph ${n}"}`
    let ready = false
    const task = (/** @type {string} */ type) => `"result":{${type}"taskId":"t1","status":"working","pollIntervalMs":200,"statusMessage":"Developing 12 photographs, which takes a while"}`
    const { person } = await scene.withScript(
      { answer: ({ method }) => (method !== "tools/call" ? task("") : ready ? task('"resultType":"task",') : { progress: progress(7), then: "say nothing" }) },
      look,
    )
    const showing = await looking(person, `${name}-tasks`)
    await person.calls("x")
    await person.sees("7 of 12")
    await showing("progress")
    ready = true
    await person.calls("x")
    await person.sees("Developing 12 photographs")
    await showing("task")
    await person.press("Stop this task")
    await person.sees("You stopped this task")
    await showing("cancelled")
  })

  test(`${name}: a page that must be opened first`, async () => {
    const { person } = await scene.withEarlier("2025-11-25", look)
    const showing = await looking(person, `${name}-page-first`)
    await person.calls("gate", { "wait: Yes": true })
    await person.sees("Please open the gate")
    await showing("page")
    await person.press("I opened it myself")
    await person.sees("Desk waits until you are done on its page")
    await showing("until-done")
    await person.press("Decline")
    await person.sees("It cannot continue without your answer")
    await showing("no")
  })
}

for (const [name, look] of Object.entries(looks)) {
  test(`${name}: signing in`, async () => {
    const tools = '[{"name":"deploy","title":"Deploy a release","description":"To a place of your choice.","inputSchema":{"type":"object"}}]'
    const { person, authorization } = await scene.withProtected(
      {
        tools,
        guards: (may, { params, method }) => {
          if (!may) return { status: 401, challenge: 'Bearer scope="deployments:read openid"' }
          if (method === "tools/call" && params.inputResponses && !may.includes("deployments:write")) return { status: 403, challenge: 'Bearer error="insufficient_scope", scope="deployments:write"' }
        },
        answer: ({ params }) => (params.inputResponses ? done("Deployed.") : form("k", "Where to?", '{"place":{"type":"string","title":"Place"}}')),
      },
      {},
      look,
    )
    const narrow = (look.width ?? 0) < 500
    const showing = await looking(person, `${name}-sign-in`)
    if (narrow) await person.press("/^Menu/")
    await person.sees("wants to know who you are")
    await showing("to-see")
    const first = await person.opens("Sign in")
    await person.sees("Waiting for the window.")
    await showing("to-see-window")
    await first.press("Allow")
    await person.sees("Signed in")
    await showing("seen")
    if (narrow) await person.press("Close")
    await person.calls("Deploy a release")
    await person.answers({ Place: "Oslo" })
    await person.sees("wants you to allow more")
    await showing("asked")
    const second = await person.opens("Sign in")
    await person.sees("Waiting for the window.")
    await showing("window")
    await second.press("Deny")
    await person.sees("did not allow it")
    await showing("denied")
    await person.tab.inject("globalThis.open = () => null")
    await person.press("Try again")
    await person.sees("did not let this page open a window")
    await showing("blocked")
    await person.press("Not now")
    await person.sees("It cannot continue without a sign-in")
    await showing("not-now")
    await person.press("Sign in")
    await person.sees("Sign in to")
    await person.press("Park for later")
    await person.sees("before it goes on")
    await showing("parked")
    await person.press("Resume")
    await person.sees("Sign in to")
    await person.press("Sign in")
    await person.press("Continue in this window")
    await person.press("Allow")
    await person.sees("Deployed.")
    if (scene.browser.name === "chromium") await person.tab.inject(axe)
    await showing("done")
    if (narrow) await person.press("/^Menu/")
    await person.press("Signed in")
    await person.sees(`At ${authorization.host}`)
    await showing("account")
    await person.press("Sign out")
    await person.sees("Signed out.")
    await showing("signed-out")
  })
}
