// The chat as a person uses it, started as README.md says.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { chromium } from "playwright-core"

/** How long anything may take, in milliseconds. Nobody waits for it on a good day. */
const patience = 180_000

const chat = spawn(process.execPath, [fileURLToPath(new URL("start.js", import.meta.url)), "0"], { stdio: ["ignore", "pipe", "inherit"] })
const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim()
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: patience }) // for root in a container
test.after(async () => {
  await browser.close()
  chat.kill()
  await once(chat, "exit")
})

/** Where the chat is. */
async function started() {
  for await (const line of createInterface(chat.stdout)) {
    const url = /^the chat is at (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error("the chat did not start")
}

test("a chat in 60 lines: tools ask, one is kept for later, and all end", async () => {
  assert.ok(readFileSync(new URL("chat.tsx", import.meta.url), "utf8").trimEnd().split("\n").length <= 60, "lines")
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  /** @type {string[]} */
  const said = []
  page.on("pageerror", (error) => said.push(String(error)))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) said.push(message.text())
  })
  await page.goto(await started())
  const say = async (/** @type {string} */ text) => {
    await page.getByLabel("A place").fill(text)
    await page.getByRole("button", { name: "Say" }).click()
  }
  const turn = (/** @type {string} */ text) => page.locator("li", { hasText: text })

  await say("resolve 4711")
  const resolution = page.getByLabel("Resolution")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("alert").filter({ hasText: "Resolution" }).waitFor()
  assert.equal(await resolution.getAttribute("aria-invalid"), "true")
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
  assert.deepEqual(await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"), [])
  await resolution.selectOption({ label: "Duplicate" })
  await page.getByRole("button", { name: "Send" }).click()
  const original = page.getByLabel("Original work item")
  await original.waitFor()
  await page.getByRole("button", { name: "Later" }).click()
  await turn("resolve 4711").getByRole("button", { name: "Resume" }).waitFor()

  await say("Oslo")
  await page.getByLabel("Units").selectOption("\"metric\"")
  await page.getByRole("button", { name: "Send" }).click()
  await turn("Oslo").filter({ hasText: "18 °C" }).waitFor()

  await say("Bergen")
  await turn("Bergen").getByRole("button", { name: "Stop" }).click()
  await turn("Bergen").filter({ hasText: "gave up" }).waitFor()

  await turn("resolve 4711").getByRole("button", { name: "Resume" }).click()
  await original.fill("4242")
  await original.press("Enter")
  await turn("resolve 4711").filter({ hasText: "a duplicate of 4242" }).waitFor()
  assert.deepEqual(said, [])
})
