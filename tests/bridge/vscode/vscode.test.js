// VS Code's own MCP client, which speaks 2025-11-25, at a server of MCP
// 2026-07-28. The person sees VS Code's own questions.
import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, beforeEach, describe, test } from "node:test"
import { fileURLToPath } from "node:url"

import { launchChromium } from "../../../apps/vscode/test/chromium.js"
import { startEditor } from "../../../apps/vscode/test/code-server.js"
import { bridge, goServer, serve } from "../programs.js"

const patience = 180_000 // milliseconds for what must come

describe("VS Code", () => {
  /** @type {import("../../../apps/vscode/test/code-server.js").Editor} */
  let editor
  /** @type {Awaited<ReturnType<typeof launchChromium>>} */
  let browser
  /** @type {Awaited<ReturnType<typeof browser.newPage>>} */
  let page
  before(async () => {
    browser = await launchChromium()
    editor = await startEditor({
      extensions: [fileURLToPath(new URL("extension", import.meta.url))],
      settings: { "chat.disableAIFeatures": false }, // MCP is one of them
    })
  })
  after(async () => {
    await browser?.close()
    await editor?.stop()
  })
  beforeEach(async () => {
    page = await (await browser.newContext({ viewport: { width: 1100, height: 700 } })).newPage()
    page.setDefaultTimeout(patience)
  })

  /** Opens a window on a folder that names the bridge as a server. @param {string} name @param {any} server of mcp.json */
  async function open(name, server) {
    const folder = editor.newFolder(name)
    mkdirSync(join(folder, ".vscode"))
    writeFileSync(join(folder, ".vscode/mcp.json"), JSON.stringify({ servers: { "work-items": server } }))
    await page.goto(editor.windowOf(folder), { waitUntil: "commit" })
    await page.locator(".statusbar-item", { hasText: "bridge test" }).waitFor() // its commands are there
  }

  const sheet = () => page.locator(".quick-input-widget:visible")
  const row = (/** @type {string} */ words) => sheet().locator(".quick-input-list .monaco-list-row", { hasText: words }).first()

  /** Runs a command of the palette. @param {string} title */
  async function runs(title) {
    await page.keyboard.press("F1")
    await sheet().locator("input.input").fill(`>${title}`)
    await row(title).click()
  }

  /** Calls a tool, as an agent does, and lets it run. @param {string} tool @param {any} args */
  async function calls(tool, args) {
    await runs("Bridge Test: Call the Tool")
    await sheet().filter({ hasText: "arguments as JSON" }).waitFor()
    await sheet().locator("input.input").fill(`${tool} ${JSON.stringify(args)}`)
    await page.keyboard.press("Enter")
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Yes" }).click()
  }

  const notification = (/** @type {string | RegExp} */ words) => page.locator(".notification-toast").filter({ hasText: words }).first()

  /** Turns to a question. @param {string} words */
  async function responds(words) {
    const question = notification(words)
    await question.filter({ hasText: "MCP Server (work-items)" }).getByRole("button", { name: "Respond" }).click()
  }

  /** What the tool came to, in full. */
  async function outcome() {
    const said = notification("The tool said:").or(notification("The call failed:"))
    await said.waitFor()
    return said.locator(".notification-list-item-message").innerText()
  }

  test("two rounds over HTTP, in VS Code's own forms", async (t) => {
    const server = await serve(t, goServer())
    const { url } = await serve(t, bridge("--listen", ":0", server.url))
    await open("http", { type: "http", url })
    await calls("update_work_item", { id: 4711, state: "Resolved" })
    await responds("How was work item 4711 resolved?")
    await row("Duplicate").click()
    await responds("Which other work item does 4711 duplicate?")
    await sheet().filter({ hasText: "(1/2)" }).locator("input.input").fill("4242")
    await row("4242").click()
    await sheet().filter({ hasText: "(2/2)" }).locator("input.input").fill("the same log")
    await row("the same log").click()
    assert.equal(await outcome(), 'The tool said: Work item 4711 is now Resolved as a duplicate of 4242. Comment: "the same log".')
  })

  test("over stdio: a question that is closed, and folders, which VS Code gives unasked", async (t) => {
    const server = await serve(t, goServer())
    const [command, ...args] = bridge(server.url)
    await open("stdio", { type: "stdio", command, args })
    await calls("update_work_item", { id: 7, state: "Resolved" })
    await notification("How was work item 7 resolved?").hover()
    await notification("How was work item 7 resolved?").locator(".codicon-notifications-clear").click()
    assert.equal(await outcome(), "The tool said: Work item 7 is unchanged: the user cancelled.")
    await notification("The tool said:").hover()
    await notification("The tool said:").locator(".codicon-notifications-clear").click()
    await calls("list_files", {})
    assert.match(await outcome(), /The tool said: .*file:\/\/\/.*\/stdio/)
  })

  test("a resource that asks before it can be read", async (t) => {
    const server = await serve(t, goServer())
    const { url } = await serve(t, bridge("--listen", ":0", server.url))
    await open("resource", { type: "http", url })
    await calls("list_files", {}) // which starts the server
    await outcome()
    await runs("MCP: Browse Resources")
    await row("report").click()
    await responds("Which quarter do you want the figures of?")
    await row("Q3").click()
    await page.locator(".editor-instance .view-lines", { hasText: /Q3/ }).first().waitFor()
  })

  test("a page, which VS Code opens", async (t) => {
    const server = await serve(t, goServer())
    const { url } = await serve(t, bridge("--listen", ":0", server.url))
    await open("page", { type: "http", url })
    await calls("connect_account", {})
    const opened = page.context().waitForEvent("page")
    await notification("Confirm on our page").getByRole("button", { name: "Open URL" }).click()
    const connect = await opened
    await connect.getByRole("button").first().click()
    await responds("The page is open")
    assert.match(await outcome(), /The tool said: .*onnected/)
  })
})
