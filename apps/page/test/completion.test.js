// Suggestions for the arguments of prompts and of templates, by keyboard and
// pointer, at a server on the official TypeScript SDK and at scripted ones.

import assert from "node:assert/strict"

import { scene, test } from "./setting.js"

/** @import { Person } from "./person.js" */

const prompts = '[{"name":"review","arguments":[{"name":"language","required":true},{"name":"framework"}]}]'

/** A completion. @param {string[]} values @param {boolean} [hasMore] */
const completion = (values, hasMore) => `"result":{"completion":${JSON.stringify({ values, hasMore })}}`

/** What the field with the focus says of itself. @param {Person} person */
const field = ({ tab }) =>
  tab.evaluate(() => {
    const input = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.activeElement)
    const active = document.getElementById(input.getAttribute("aria-activedescendant") ?? "")
    const list = document.getElementById(input.getAttribute("aria-controls") ?? "")
    return { value: input.value, role: input.role, expanded: input.ariaExpanded, active: active?.ariaSelected === "true" ? active.innerText : null, list: list?.role ?? null }
  }, undefined)

/** Suggestions on the screen. @param {Person} person */
const options = async (person) => (await person.reads(".suggestions:not([hidden]) ul")).split("\n").filter(Boolean)

test("a template of the TypeScript SDK’s server is filled in with what it suggests", async () => {
  const { person } = await scene.withJsServer()
  await person.pick("Report of a quarter")
  await person.fill({ year: "202" })
  await person.sees("2025")
  assert.deepEqual(await options(person), ["2025", "2026"])
  await person.keys("ArrowDown", "ArrowDown")
  assert.deepEqual(await field(person), { value: "202", role: "combobox", expanded: "true", active: "2026", list: "listbox" })
  await person.keys("Enter")
  assert.deepEqual(await field(person), { value: "2026", role: "combobox", expanded: "false", active: null, list: "listbox" })
  await person.fill({ quarter: "q" })
  await person.sees("Q1")
  assert.deepEqual(await options(person), ["Q1", "Q2"], "of the year that is there")
  await person.tab.click(".suggestions:not([hidden]) li:last-child")
  assert.equal((await field(person)).value, "Q2")
  await person.press("Read the resource")
  await person.sees("| Q2 2026 | 1490 |")
})

test("suggestions by keys: arrows go round, Escape closes the list and not the form, Enter takes one", async () => {
  const { person } = await scene.withScript({ prompts, answer: ({ method }) => (method === "completion/complete" ? completion(["perl", "py\u202eton", "python", "a\nb"], true) : '"result":{"messages":[]}') })
  await person.pick("review")
  await person.fill({ language: "p" })
  await person.sees("There are more: type on.")
  assert.deepEqual(await options(person), ["perl", "python"], "what is what it seems")
  await person.keys("ArrowUp")
  assert.equal((await field(person)).active, "python")
  await person.keys("ArrowDown")
  assert.equal((await field(person)).active, null, "the text itself")
  await person.keys("Escape")
  assert.deepEqual(await options(person), [])
  assert.equal((await field(person)).value, "p")
  await person.keys("ArrowDown")
  assert.equal((await field(person)).active, "perl", "opens again")
  await person.keys("Tab")
  await person.focusIs(/framework/)
  assert.deepEqual(await options(person), [], "of a field that was left")
})

test("what comes for a text that was typed on is thrown away", async () => {
  /** @type {(() => void) | undefined} */
  let late
  const slow = new Promise((resolve) => (late = () => resolve(undefined)))
  const { person, server } = await scene.withScript({
    prompts,
    answer: ({ params }) => (params.argument.value === "p" ? { after: slow, then: completion(["late"]) } : completion(params.argument.value === "pe" ? ["perl", "pearl"] : [])),
  })
  const asked = () => server.received.map(({ params }) => params.argument.value)
  await person.pick("review")
  await person.fill({ language: "p" })
  await until(() => asked().includes("p"))
  await person.keys("e")
  await person.sees("pearl")
  late?.()
  await person.keys("ArrowDown")
  assert.deepEqual([await options(person), (await field(person)).active], [["perl", "pearl"], "perl"])
})

test("what is filled in already is told, and a server without completions shows nothing", async () => {
  let offers = true
  const { person, server } = await scene.withScript({
    prompts,
    answer: ({ method }) => (method !== "completion/complete" ? '"result":{"messages":[]}' : offers ? completion(["flask"]) : '"error":{"code":-32601,"message":"no"}'),
  })
  await person.pick("review")
  await person.fill({ language: "python", framework: "f" })
  await person.sees("flask")
  const last = server.received.at(-1)?.params
  await person.keys("Escape")
  assert.deepEqual([last.argument, last.context], [{ name: "framework", value: "f" }, { arguments: { language: "python" } }])
  await person.press("Get the prompt")
  offers = false
  await person.reload()
  const before = server.received.length
  await person.pick("review")
  await person.fill({ language: "p", framework: "f" })
  const asked = () => server.received.slice(before).filter(({ method }) => method === "completion/complete").length
  await until(() => asked() > 0)
  assert.deepEqual([(await field(person)).role, await options(person)], [null, []])
  await person.press("Get the prompt")
  await until(() => server.received.slice(before).some(({ method }) => method === "prompts/get"))
})

/** Waits for something on this side. @param {() => boolean} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}
