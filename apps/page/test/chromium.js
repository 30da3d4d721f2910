// Chromium, as Debian builds it, by playwright-core.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

import { chromium } from "playwright-core"

import { click } from "./click.js"
import { patience, patiently } from "./patience.js"

/** @import { BrowserContext, Page } from "playwright-core" */
/** @import { Browser, Profile, Tab } from "./browser.js" */

/** @param {string} executablePath @returns {Promise<Browser>} */
export async function launchChromium(executablePath) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], timeout: patience }) // for root in a container
  /** @type {string[]} */
  const errors = []
  return {
    name: "chromium",
    async newProfile({ width = 1280, height = 860, dark = false, amnesia = false, locale = "en-US" } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", locale })
      if (amnesia) await context.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }))
      context.on("weberror", (error) => errors.push(error.error().message))
      context.on("console", (message) => {
        if (/Content Security Policy|Trusted/.test(message.text())) errors.push(message.text())
      })
      return profile(context)
    },
    errors: async () => errors.splice(0),
    gone: () => !browser.isConnected(),
    // Chromium sometimes never says that it has closed. Its process goes with this one.
    close: () => Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 20_000).unref())]),
  }
}

/**
 * A Chromium that keeps its data in a folder and can be killed as by a power cut.
 *
 * @param {string} executablePath
 * @param {string} folder
 * @returns {Promise<{profile: Profile, kill: () => Promise<unknown>}>}
 */
export async function launchToKill(executablePath, folder) {
  const portFile = join(folder, "DevToolsActivePort")
  rmSync(portFile, { force: true }) // of one that was killed
  const args = ["--headless=new", "--no-sandbox", "--no-first-run", `--user-data-dir=${folder}`, "--remote-debugging-port=0"]
  const child = spawn(executablePath, args, { stdio: "ignore", detached: true })
  const ended = once(child, "exit")
  const browser = await patiently(() => {
    const [port] = readFileSync(portFile, "utf8").split("\n")
    // Chromium sometimes takes a connection and never says a word on it. The next one is another try.
    return chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: patience / 6 })
  })
  const [context] = browser.contexts()
  if (!context) throw new Error("Chromium started without a profile")
  return {
    profile: profile(context),
    async kill() {
      // The browser and the processes of its pages.
      if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, "SIGKILL")
      await ended
    },
  }
}

/** @param {BrowserContext} context @returns {Profile} */
function profile(context) {
  return {
    newTab: async () => tab(await context.newPage()),
    nextTab: async () => tab(await context.waitForEvent("page", { timeout: patience })),
    close: () => context.close(),
  }
}

/** @param {Page} page @returns {Tab} */
function tab(page) {
  page.setDefaultTimeout(patience)
  /** @type {Tab["evaluate"]} */
  const evaluate = (run, argument) => page.evaluate(`(${run})(${JSON.stringify(argument) ?? ""})`)
  return {
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    evaluate,
    inject: (script) => page.evaluate(script),
    click: (selector) => click(evaluate, (x, y) => page.mouse.click(x, y), selector), // by hand: page.click takes ten times as long
    fill: (selector, text) => page.fill(selector, text),
    select: (selector, value) => page.selectOption(selector, { value }),
    press: (key) => page.keyboard.press(key),
    screenshot: (path) => page.screenshot({ path }),
    close: () => page.close(),
  }
}
