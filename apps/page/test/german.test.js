// The page in German: nothing of what it says itself is left in English, and all
// of it has room. What servers say is theirs.

import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

import { texts as kit } from "../../shared-js/german.js"
import { texts as sentences } from "../../shared-js/german-sentences.js"
import { texts as own } from "../src/german.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Look } from "./browser.js" */
/** @import { Person } from "./person.js" */

/** @type {Record<string, Look>} */
const looks = { wide: { width: 1280, height: 860, locale: "de-DE" }, narrow: { width: 360, height: 780, dark: true, locale: "de-AT" } }

/** Forms of every kind that SDKs make. */
const manyForms = `{"id":{"type":"string","readOnly":true,"default":"A-7"},"code":{"type":"string","pattern":"^[a-z]+$","examples":["ab"],"not":{}, "deprecated":true},"amount":{"type":["number","string"]},
  "tags":{"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true},"price":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":9,"multipleOf":0.5},"note":{"type":"string","default":"x"},
  "nil":{"type":["integer","null"],"default":5},"size":{"enum":["s","l",null]},"mixed":{"enum":[1,"1",true]},"agree":{"const":true}}`

/** What would be English: short texts as a whole, longer ones wherever they stand. @type {[RegExp, string][]} */
const english = Object.entries({ ...kit, ...sentences, ...own }).flatMap(([text, german]) => {
  if (text === german || !/[a-z]{2}/i.test(text.replaceAll(/\{\d\}/g, ""))) return []
  const pattern = text.trim().replaceAll(/[.*+?^$()[\]|\\]/g, "\\$&").replaceAll(/\{\d\}/g, ".+")
  return [[new RegExp(text.replaceAll(/\{\d\}/g, "").length > 12 ? pattern : `^${pattern}$`), text]]
})

/** All that a person sees, or hears, of the page's own words. Runs in the page. */
function words() {
  const theirs = ".theirs, code, dd:not(.ours), .host, strong, option[lang]"
  /** @type {string[]} */
  const all = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent, textContent } = node
    const seen = parent?.closest("select, details, [aria-live]") ?? parent
    if (parent && seen?.getClientRects().length && !parent.closest(theirs)) all.push(textContent ?? "")
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
    for (const name of ["aria-label", "placeholder", "title"]) all.push(element.getAttribute(name) ?? "")
  }
  return all.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter(Boolean)
}

/** Makes what looks at the page: it takes a picture, and fails on what is English, or wider than its place. @param {Person} person @param {string} name */
function looking({ tab }, name) {
  const folder = fileURLToPath(new URL(`screenshots/german-${name}/`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  let shots = 0
  return async (/** @type {string} */ what) => {
    await tab.screenshot(`${folder}${String(++shots).padStart(2, "0")}-${what}.png`)
    const seen = await tab.evaluate(words, undefined)
    assert.ok(seen.length > 5, "there is something to read")
    assert.deepEqual(seen.filter((text) => english.some(([pattern]) => pattern.test(text))), [], what)
    const cut = await tab.evaluate(() => {
      const wide = [...document.querySelectorAll("button, label, h2, h3, h4, p, dt, legend, summary")].filter((one) => one instanceof HTMLElement && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1 && getComputedStyle(one).display !== "inline")
      const page = document.documentElement
      return [...wide.filter((one) => !one.querySelector(".theirs") && !one.closest(".theirs")).map((one) => one.textContent), ...(page.scrollWidth > page.clientWidth ? ["the page"] : [])]
    }, undefined)
    assert.deepEqual(cut, [], `${what}: wider than its place`)
  }
}

for (const [name, look] of Object.entries(looks)) {
  const menu = async (/** @type {Person} */ person) => name === "narrow" && person.press("/^Menü/")

  test(`German, ${name}: questions and results`, async () => {
    const { person } = await scene.withGoServer(look)
    assert.equal(await person.tab.evaluate(() => document.documentElement.lang, undefined), look.locale)
    const showing = looking(person, name)
    await showing("welcome")
    await person.pick("Provision a virtual machine")
    await person.fill({ large: true })
    await showing("arguments")
    await person.press("Call the tool")
    await person.fill({ "Data disks": "9" })
    await person.sees("Data disks darf höchstens 8 sein")
    await showing("question")
    await person.fill({ "Data disks": "2", Production: true })
    await person.press("Review answer")
    await showing("review")
    await person.calls("Connect an account")
    await person.sees("It leads to")
    await person.tab.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)), undefined)
    await showing("page")
    await person.press("I opened it myself")
    await person.sees("waits until you are done on its page")
    await showing("page-again")
    await person.press("Park for later", "connect_account")
    await person.sees("Everything is kept in this browser: resume whenever you like.")
    await showing("parked")
    await person.calls("Plan a trip", { destination: "Lisbon" })
    await person.fill({ "Another folder": "travel" })
    await person.press("Add")
    await showing("no-folder")
    await person.fill({ "Another folder": "/home/me/travel" })
    await person.press("Add")
    await showing("folders")
    await person.press("Share 1 folder")
    await person.sees("wants a model’s answer")
    await showing("prompt")
    await person.press("An das Beispielmodell geben")
    await person.sees("Was das Beispielmodell sagt")
    await showing("model")
    await person.press("Send", "Plan a trip")
    await person.answers({ "First day": "2026-12-01" }, "Plan a trip")
    await person.sees("3 relaxed days in Lisbon")
    await showing("result")
    await menu(person)
    await showing("waiting")
    await person.press("Folders and model")
    await showing("settings")
    if (name === "narrow") return // the drawer and the dialog are both there
    await person.fill({ Language: "English" })
    await person.sees("Reload the page to see it in that language.")
    person.texts = {}
    await person.reload()
    await person.sees("Everything is kept in this browser")
    assert.equal(await person.tab.evaluate(() => document.documentElement.lang, undefined), "en")
  })

  test(`German, ${name}: every field, and trouble`, async () => {
    const everyField = `{"name":{"type":"string","title":"Name","minLength":2},"mail":{"type":"string","format":"email"},"page":{"type":"string","format":"uri"},"day":{"type":"string","format":"date"},"when":{"type":"string","format":"date-time"},
      "town":{"type":"string","enum":["Bern","Lisbon","Oslo","Paris","Quito","Rome","Sofia","Tunis"]},"vegan":{"type":"boolean"},"n":{"type":"integer","minimum":1,"maximum":8},"x":{"type":"number","default":1.5},"tags":{"type":"array","minItems":1,"items":{"type":"string","enum":["a","b","c"]}}}`
    const answers = [
      form("k", "Who comes?", everyField),
      done("Welcome."),
      "hang up",
      '"error":{"code":-32000,"message":"The disk is full"}',
      { status: 403 },
      '"result":{"resultType":"done"}',
      form("a", "What?", '{"a":{"type":"object"}}'),
      form("k", "Who comes?", everyField),
      '"error":{"code":-32602,"message":"Invalid or expired requestState"}',
      { progress: '{"progress":2,"total":5}', then: "say nothing" },
    ]
    const { person } = await scene.withScript({ answer: (_, n) => /** @type {any} */ (answers)[n] ?? "hang up" }, look)
    const showing = looking(person, `${name}-trouble`)
    await person.calls("x")
    await person.fill({ Name: "A", mail: "a", page: "b", n: "9", x: "many" })
    await person.press("Review answer")
    await person.sees("Name muss mindestens 2 Zeichen lang sein")
    await showing("every-field")
    await person.answers({ Name: "Ada", mail: "", page: "", n: "", x: "1" })
    await person.sees("Welcome.")
    await showing("answered")
    for (const [what, title] of [["doubt", "It is not known whether this was done"], ["error", "The server answered with an error"], ["status", "Desk hat mit dem HTTP-Status 403 geantwortet"], ["senseless", "The server’s answer is of an unknown kind"], ["refused", "Parley refused what the server asks for"]]) {
      await person.calls("x")
      await person.sees(title ?? "")
      await showing(what ?? "")
    }
    await person.calls("x")
    await person.answers({ Name: "Ada" })
    await person.sees("The server does not accept the answers any more")
    await showing("expired")
    await person.calls("x")
    await person.sees("2 von 5")
    await showing("progress")
    await person.press("Stop this call")
    await person.sees("You stopped this call")
    await showing("stopped")
  })

  test(`German, ${name}: the forms that SDKs make`, async () => {
    const { person } = await scene.withScript({ answer: (_, n) => (n ? done("Welcome.") : form("k", "Who comes?", manyForms)) }, look)
    const showing = looking(person, `${name}-forms`)
    await person.calls("x")
    await person.sees("Zum Beispiel „ab“. Der Server möchte, dass es zu „^[a-z]+$“ passt. Der Server prüft noch mehr: not.")
    await person.sees("Eine Zahl, mehr als 0, weniger als 9, ein Vielfaches von 0.5.")
    await person.fill({ "Eine Zahl": true, "tags, Wert 1": "a" })
    await person.press("Add a value")
    await person.fill({ "tags, Wert 2": "a", "amount, Wert": "viel", price: "0", note: "" })
    await person.press("Review answer")
    await person.sees("note")
    await showing("wrong")
    await person.fill({ "amount, Wert": "7", "tags, Wert 2": "b", price: "1.5", Ja: true })
    await person.press("Review answer")
    await showing("review")
    await person.press("Send")
    await person.sees("Welcome.")
    await showing("answered")
  })

  test(`German, ${name}: signing in`, async () => {
    const { person } = await scene.withProtected({ answer: () => done("Deployed.") }, {}, look)
    const showing = looking(person, `${name}-sign-in`)
    await person.calls("x")
    await person.sees("wants you to sign in")
    await showing("asked")
    const window = await person.opens("Sign in")
    await person.sees("Waiting for the window. Was it closed? Open it again, or cancel.")
    await showing("window")
    await window.press("Deny")
    await person.sees("Der Autorisierungsserver hat es nicht erlaubt.")
    await showing("denied")
    await person.tab.inject("globalThis.open = () => null")
    await person.press("Try again")
    await person.sees("Your browser did not let this page open a window.")
    await showing("blocked")
    await person.press("Not now")
    await person.sees("It cannot continue without a sign-in")
    await showing("not-now")
    await person.press("Sign in")
    await person.press("Park for later")
    await person.sees("Desk möchte, dass Sie sich anmelden, bevor es weitergeht.")
    await showing("parked")
    await person.press("Resume")
    await person.press("Sign in")
    await person.press("Continue in this window")
    await person.press("Allow")
    await person.sees("Deployed.")
    await showing("done")
    await menu(person)
    await person.press("Signed in")
    await person.sees("Stay signed in in this browser")
    await showing("account")
    await person.press("Sign out")
    await person.sees("Abgemeldet.")
    await showing("signed-out")
  })
}

test("German: what the engine says is the page's own words, and no English is left in it", async () => {
  const again = form("k", "Once more?", '{"a":{"type":"string"}}')
  /** @type {[answer: unknown, says: string][]} */
  const ends = [
    ["hang up", "Es lässt sich nicht sagen, ob das Tool gelaufen ist; es wird nur auf Wunsch noch einmal aufgerufen: die Verbindung brach ab, bevor die Antwort vollständig war."],
    [form("a", "What?", '{"a":{"type":"object"}}'), "InputRequests[\"a\"]: \"a\" ist ein Objekt, und das kann ein Formular nicht zeigen. Sie wurden nicht gefragt"],
    ['"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"","elicitationId":"1","url":"http://a.example/"}}}}', "InputRequests[\"a\"]: die Adresse ist http:// und ihr Host nicht dieser Computer."],
    ['"result":{"resultType":"done"}', "ResultType \"done\" ist weder „complete“ noch „input_required“."],
    ["<html>", "die Antwort ist keine JSON-RPC-Nachricht: hier müsste der Name eines Eintrags in Anführungszeichen stehen, bei Byte "],
  ]
  const { person } = await scene.withScript({ answer: (_, n) => /** @type {any} */ (n < ends.length ? ends[n]?.[0] : again) }, { locale: "de-DE" })
  for (const [, says] of ends) {
    await person.calls("x")
    await person.sees(says)
  }
  await person.calls("x")
  for (let round = 0; round < 10; round++) await person.answers({ a: "b" })
  await person.sees("Der Server fragt nach 10 Runden noch einmal. Sie können ihn weiter fragen lassen.")
  const seen = await person.tab.evaluate(words, undefined)
  assert.deepEqual(seen.filter((text) => english.some(([pattern]) => pattern.test(text))), [])
})

test("German is loaded where it is spoken", async () => {
  const tables = (/** @type {Person} */ { tab }) => tab.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /\/german-[A-Z0-9]+\.js$/.test(name)).length, undefined)
  const script = { answer: () => done("Hello.") }
  assert.equal(await tables((await scene.withScript(script, { locale: "fr-FR" })).person), 0)
  assert.equal(await tables((await scene.withScript(script, { locale: "de" })).person), 2)
})
