import { execFileSync } from "node:child_process"

import { chromium } from "playwright-core"

/** @import { Page } from "playwright-core" */

/** How long a browser or a page may take, in milliseconds. Nobody waits for it on a good day. */
const patience = 180_000

/** What a page asked for: the path, and what came. @typedef {{path: string, status: number, type: string, text: () => Promise<string>}} Asked */

/** Chromium, as Debian builds it. @returns {Promise<{open: (url: string) => Promise<Opened>, close: () => Promise<unknown>}>} */
export async function launch() {
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim()
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: patience }) // for root in a container
  return { open: async (url) => open(await browser.newPage(), url), close: () => browser.close() }
}

/** A page that is there, with what it asked for and printed up to now. @typedef {{page: Page, asked: Asked[], printed: string[]}} Opened */

/** @param {Page} page @param {string} url @returns {Promise<Opened>} */
async function open(page, url) {
  /** @type {Asked[]} */
  const asked = []
  /** @type {string[]} */
  const printed = []
  page.setDefaultTimeout(patience)
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? ""
    asked.push({ path: new URL(response.url()).pathname, status: response.status(), type, text: () => response.text() })
  })
  page.on("console", (message) => printed.push(`${message.type()}: ${message.text()}`))
  await page.goto(url)
  return { page, asked, printed }
}
