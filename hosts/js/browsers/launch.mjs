import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

import { chromium, firefox } from "playwright-core"

import { launchWebKit } from "./webdriver.mjs"

/** @import { Browser as PlaywrightBrowser } from "playwright-core" */

/**
 * A browser under control. Its tabs share storage, as those of one person do.
 *
 * @typedef {object} Browser
 * @property {string} version
 * @property {(url: string) => Promise<Tab>} open a page in a tab of its own
 * @property {() => Promise<unknown>} close
 */

/** How long a browser may take to start, and a page to load, in milliseconds. */
const patience = 300_000

/** `gone` rejects where the browser can tell that it has crashed. @typedef {{close: () => Promise<unknown>, gone?: Promise<never>}} Tab */

/** What each browser needs on the PATH. @type {Record<string, string[]>} */
const programs = {
  chromium: ["chromium"],
  firefox: ["firefox-esr"],
  webkit: ["WebKitWebDriver", "Xvfb"],
}

export const engines = Object.keys(programs)

/** What of an engine's programs is not installed. @param {string} engine */
export function missing(engine) {
  return (programs[engine] ?? []).filter((program) => !find(program))
}

/** @param {string} engine one of engines @returns {Promise<Browser>} */
export async function launch(engine) {
  const [program = ""] = programs[engine] ?? []
  const executablePath = find(program) ?? program
  if (engine === "webkit") return launchWebKit(executablePath)
  return engine === "chromium"
    ? tabs(await chromium.launch({ executablePath, timeout: patience }))
    : tabs(await firefox.launch({ executablePath, channel: "moz-firefox", timeout: patience })) // as Debian built it
}

/** @param {PlaywrightBrowser} browser @returns {Promise<Browser>} */
async function tabs(browser) {
  const context = await browser.newContext()
  return {
    version: browser.version(),
    async open(url) {
      const page = await context.newPage()
      await page.goto(url, { timeout: patience })
      return page
    },
    close: () => browser.close(),
  }
}

/** @param {string} program */
function find(program) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
