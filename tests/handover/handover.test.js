// One call, four hosts, each a process of its own: begun in a browser, answered
// in VS Code, looked at by a Python program through Extism, finished by the
// terminal host in Go. What goes from one to the next is a file.
//
// PYTHON names a Python with extism, TERMINAL a built apps/parley.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { serve, startServer } from "../../apps/page/serve.mjs"
import { launchChromium } from "../../apps/vscode/test/chromium.js"
import { startEditor } from "../../apps/vscode/test/code-server.js"
import { Person } from "../../apps/vscode/test/workbench.js"
import { record } from "./recorder.js"

/** @param {string} path in the repository */
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const { PYTHON = "python3", TERMINAL = at("tests/handover/.built/parley") } = process.env

/** How long to wait for what a person would see, in milliseconds. */
const patience = 240_000

const [first, second] = ["How was work item 4711 resolved?", "Which other work item does 4711 duplicate?"]

test("a call goes from host to host, and nothing is asked twice", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-handover-"))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const desk = await startServer(at("apps/vscode/test/.built/go-server"), ["-addr", "127.0.0.1:0"])
  t.after(desk.stop)
  const wire = await record(desk.url)
  t.after(wire.stop)
  const browser = await launchChromium()
  t.after(() => browser.close())

  const fromPage = await begun(t, browser, wire.url, folder)
  assert.equal(wire.exchanges.filter(({ method }) => method === "tools/call").length, 1, "the page has asked, and answered nothing")
  const fromEditor = await answered(t, browser, wire.url, fromPage)
  await looked(wire.url, fromEditor, folder)
  const text = await finished(join(folder, "parked.json"), folder)

  assert.match(text, /Work item 4711 is now Resolved as a duplicate of 4242\. Comment: "Seen in four hosts\."/)
  const legs = wire.exchanges.filter(({ method }) => method === "tools/call")
  assert.deepEqual(
    legs.map(({ params }) => params.inputResponses),
    [
      undefined,
      { resolution: { action: "accept", content: { resolution: "Duplicate" } } },
      { duplicate: { action: "accept", content: { original_id: 4242, comment: "Seen in four hosts." } } },
    ],
    "each question was answered once",
  )
  for (const [i, { got }] of legs.entries()) {
    const [state] = /"requestState":"(?:[^"\\]|\\.)*"/.exec(got) ?? []
    const next = legs[i + 1]
    assert.equal(state !== undefined, next !== undefined, `whether leg ${i + 1} is resumed`)
    if (state && next) assert.ok(next.sent.includes(state), `leg ${i + 2} echoes the state byte for byte`)
  }
  assert.equal(new Set(wire.exchanges.map(({ sent }) => JSON.parse(sent).id)).size, wire.exchanges.length, "each id was on the wire once, whichever host drew it")
  assert.deepEqual(legs.map(({ params }) => [params.name, params.arguments]), Array(3).fill(["update_work_item", { id: 4711, state: "Resolved" }]))
})

/**
 * In the page: makes the call and gives it to a file with its first question open.
 *
 * @param {test.TestContext} t @param {import("playwright-core").Browser} browser @param {string} url @param {string} folder
 */
async function begun(t, browser, url, folder) {
  const site = await serve({ servers: [{ label: "Work items", url }] })
  t.after(site.close)
  const page = await (await browser.newContext({ acceptDownloads: true })).newPage()
  page.setDefaultTimeout(patience)
  await page.goto(site.origin)
  await page.locator(".group button", { hasText: "Update a work item" }).click()
  await page.getByLabel(/^id/i).fill("4711")
  await page.getByLabel(/^state/i).fill("Resolved")
  await page.getByRole("button", { name: "Call the tool" }).click()
  await page.getByText(first).first().waitFor()
  await page.getByRole("button", { name: "Park for later" }).click()
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export to a file" }).click()])
  const file = join(folder, download.suggestedFilename())
  await download.saveAs(file)
  await page.getByText("Exported to a file").first().waitFor()
  await page.getByRole("button", { name: "Discard it here" }).click()
  await page.context().close()
  return file
}

/**
 * In VS Code: answers the first question, and gives the call to another file
 * with the second one open.
 *
 * @param {test.TestContext} t @param {import("playwright-core").Browser} browser @param {string} url @param {string} file
 */
async function answered(t, browser, url, file) {
  const editor = await startEditor({
    extensions: [at("apps/vscode")],
    settings: { "parley.servers": [{ label: "Tracker", url }], "files.simpleDialog.enable": true },
  })
  t.after(editor.stop)
  const work = editor.newFolder("work")
  const person = await Person.at(await browser.newContext({ viewport: { width: 1000, height: 640 } }), editor, work)
  try {
    await person.runs("Parley: Import a Call From a File")
    await names(person, "Import a call from a file", "Import", person.sheet.locator(".quick-input-message", { hasText: `Tracker asks: ${first}` }), file)
    await person.picks("Respond")
    await person.reads("Resolution")
    await person.picks("Duplicate")
    await person.reads("This is what Tracker gets.")
    await person.picks("Send to Tracker")
    await person.reads(`Tracker asks: ${second}`)
    await person.picks("Park for later")
    await person.isLeftAlone()
    await person.seesWaiting(1)
    await person.opens("Parley: Export a Parked Call to a File", "Your calls, the oldest first.")
    await person.picks("update_work_item")
    await names(person, "Export a call to a file", "OK", person.notification("is in the file now")) // what it proposes
    await person.seesWaiting(0)
    return join(work, "update_work_item.parley")
  } catch (error) {
    await person.photographs("failed-handover")
    throw error
  }
}

/**
 * Names a file in VS Code's own dialog, which takes a press of its button only
 * when it has read the folder, and may then put that in place of what was typed.
 * It may even go and come back, so what counts is what comes next.
 *
 * @param {Person} person @param {string} title @param {string} button @param {import("playwright-core").Locator} next @param {string} [file]
 */
async function names(person, title, button, next, file) {
  const dialog = person.sheet.filter({ hasText: title })
  await dialog.waitFor()
  const end = Date.now() + patience
  for (let tries = 1; ; tries++) {
    if (file !== undefined) await dialog.locator(".quick-input-box input").fill(file, { timeout: tries * 2000 }).catch(() => {})
    await dialog.getByRole("button", { name: button, exact: true }).click({ timeout: tries * 2000 }).catch(() => {}) // it may just go
    try {
      return await next.waitFor({ timeout: tries * 2000 })
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** In Python, through Extism: is asked the second question, and parks the call. @param {string} url @param {string} file @param {string} folder */
async function looked(url, file, folder) {
  const { code, output } = await run(PYTHON, [at("examples/extism-python/main.py"), url, "--resume", file], { cwd: folder, input: "/park\n" })
  assert.equal(code, 1, output)
  assert.ok(output.includes(second) && !output.includes(first), output)
  assert.equal(statSync(join(folder, "parked.json")).mode & 0o077, 0, "nobody else may read what was parked")
}

/** In the terminal: answers it, and sees the result. @param {string} file @param {string} folder */
async function finished(file, folder) {
  const dirs = ["--state-dir", join(folder, "state")]
  const taken = await run(TERMINAL, ["import", file, "--label", "Tracker", ...dirs], { cwd: folder })
  assert.equal(taken.code, 0, taken.output)
  const [, id = ""] = /parley resume (\w+)/.exec(taken.output) ?? []
  const script = join(folder, "answers.json")
  writeFileSync(script, JSON.stringify({ answers: [{ key: "duplicate", action: "accept", content: { original_id: 4242, comment: "Seen in four hosts." } }] }))
  const { code, output } = await run(TERMINAL, ["resume", id, "--script", script, ...dirs], { cwd: folder })
  assert.equal(code, 0, output)
  assert.ok(!output.includes(first), "the first question is not asked again")
  assert.ok(readFileSync(file, "utf8").includes("4711"), "the file is the person's to delete")
  return output
}

/** @param {string} program @param {string[]} args @param {{cwd: string, input?: string}} options */
async function run(program, args, { cwd, input = "" }) {
  const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"], timeout: patience })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes))
  child.stdin.end(input)
  const [code] = await once(child, "close")
  return { code, output }
}
