// A person at VS Code, who goes by what they read. Waits are for what shows, as
// long as it takes: the limits are for what never comes.

import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** @import { BrowserContext, Locator, Page } from "playwright-core" */
/** @import { Editor } from "./code-server.js" */

/** How long a person waits for what they expect, in milliseconds. */
const patience = Number(process.env.PATIENCE || 180_000)

const pictures = process.env.SCREENSHOTS || fileURLToPath(new URL("screenshots", import.meta.url))

export class Person {
  /** Other windows of the same person. @type {Person[]} */
  #others = []

  /** @param {BrowserContext} context @param {Editor} editor @param {string} folder @param {Page} page */
  constructor(context, editor, folder, page) {
    this.context = context
    this.editor = editor
    this.folder = folder
    this.page = page
  }

  /** Opens a window on a folder. @param {BrowserContext} context @param {Editor} editor @param {string} folder */
  static async at(context, editor, folder) {
    context.setDefaultTimeout(patience)
    const person = new Person(context, editor, folder, await context.newPage())
    await person.page.goto(editor.windowOf(folder), { waitUntil: "commit" })
    await person.ready()
    return person
  }

  /** The same person in another window on the folder. */
  async another() {
    const person = await Person.at(this.context, this.editor, this.folder)
    this.#others.push(person)
    return person
  }

  async reload() {
    await this.page.reload({ waitUntil: "commit" })
    await this.ready()
  }

  /** The window can be used. */
  async ready() {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor()
    await this.page.locator('.activitybar a[aria-label^="Parley"]').waitFor()
  }

  /** The picker or box on the screen. @returns {Locator} */
  get sheet() {
    return this.page.locator(".quick-input-widget:visible")
  }

  /** Runs a command by its title, from the palette, as soon as it is there. @param {string} title */
  async runs(title) {
    const palette = this.sheet.locator('input.input[placeholder*="command"]')
    const row = this.sheet.locator(".quick-input-list .monaco-list-row.focused", { hasText: title })
    const end = Date.now() + patience
    for (let tries = 1; ; tries++) {
      await this.page.keyboard.press("F1")
      try {
        await palette.fill(`>${title}`, { timeout: tries * 4000 }) // a window that has just opened may not listen to keys
        await row.waitFor({ timeout: tries * 1500 })
        break
      } catch (error) {
        if (Date.now() > end) throw error
        if (await palette.isVisible()) await this.page.keyboard.press("Escape") // extensions tell of their commands when they are read
      }
    }
    await this.page.keyboard.press("Enter")
  }

  /** Opens the list of servers. A window that has just opened may not have read the settings: then again. */
  async beginsToCall() {
    await this.opens("Parley: Call a Tool, Prompt or Resource", "The servers of your settings")
  }

  /** Runs a command that asks something, and again if it was too early for that: a call is parked a moment after its sheet is gone. @param {string} title @param {string} words */
  async opens(title, words) {
    const asked = this.sheet.locator(".quick-input-message", { hasText: words })
    const end = Date.now() + patience
    for (let tries = 1; ; tries++) {
      await this.runs(title)
      try {
        return await asked.waitFor({ timeout: tries * 8000 })
      } catch (error) {
        if (Date.now() > end) throw error
      }
    }
  }

  /** Waits until the extension has begun. */
  async extensionRuns() {
    await this.beginsToCall()
    await this.presses("Escape")
    await this.isLeftAlone()
  }

  /** Begins a call: its arguments are yet to be given. @param {string} server by its label @param {string} what by its title */
  async calls(server, what) {
    await this.beginsToCall()
    await this.finds(server)
    await this.reads(`What ${server} offers`)
    await this.finds(what)
  }

  /** Waits for words of the sheet: what it is about, or what is wrong. @param {string | RegExp} words */
  async reads(words) {
    await this.sheet.locator(".quick-input-message", { hasText: words }).waitFor()
  }

  /** Chooses from a list by its label, once it shows. @param {string} label */
  async picks(label) {
    await this.#row(label).click()
  }

  /**
   * The same in a list that is longer than the screen: typing narrows it down. By
   * keyboard, because what VS Code says of a row it may show over the row.
   *
   * @param {string} label
   */
  async finds(label) {
    await this.sheet.locator("input.input").fill(label)
    const row = this.#row(label)
    while (!(await row.getAttribute("class"))?.includes("focused")) await this.presses("ArrowDown")
    await this.presses("Enter")
  }

  /** Ticks one of several, or takes the tick away. @param {string} label */
  async ticks(label) {
    await this.#row(label).locator(".label-name").first().click()
  }

  /** Is done with ticking. */
  async agrees() {
    await this.clicks(this.sheet, "OK")
  }

  /** @param {string} label */
  #row(label) {
    return this.sheet.locator(".quick-input-list .monaco-list-row").filter({ has: this.page.locator(".label-name").getByText(label, { exact: true }) }).first()
  }

  /** Waits for words in the title of the sheet. @param {string} words */
  async isAt(words) {
    await this.sheet.locator(".quick-input-title", { hasText: words }).waitFor()
  }

  /** Waits for words in the list. @param {string} words */
  async listed(words) {
    await this.sheet.locator(".quick-input-list .monaco-list-row", { hasText: words }).first().waitFor()
  }

  /** Types a value in the place of what is there. A list that is about to go has a box, too: not into that. @param {string} text */
  async types(text) {
    await this.page.locator(".quick-input-widget:visible:not(:has(.quick-input-list:visible)) .quick-input-box input").fill(text)
  }

  /** What stands in the box. */
  async typed() {
    return this.sheet.locator(".quick-input-box input").inputValue()
  }

  /** @param {string} key */
  async presses(key) {
    await this.page.keyboard.press(key)
  }

  /**
   * Presses a button of the sheet's title by what it says, after which another
   * sheet comes, or none. VS Code draws a new sheet's buttons after its text: who
   * is quick, or the machine slow, presses one of the sheet before, and again.
   *
   * @param {string | RegExp} name
   */
  async turns(name) {
    const title = await this.sheet.locator(".quick-input-title").innerText()
    const same = this.sheet.locator(".quick-input-title", { hasText: title })
    const button = this.sheet.locator(".quick-input-titlebar").getByRole("button", { name }).first()
    const left = () => same.waitFor({ state: "hidden", timeout: 5_000 }).then(() => true, () => false)
    await button.click()
    while (!(await left())) await button.click({ timeout: 5_000 }).catch(() => {})
  }

  /** No sheet is on the screen. */
  async isLeftAlone() {
    await this.page.locator(".quick-input-widget:visible").waitFor({ state: "hidden" })
  }

  /** The text of the document on the screen, once it has these words. @param {string} words */
  async seesDocument(words) {
    await this.page.locator(".editor-instance .view-lines", { hasText: pattern(words) }).first().waitFor()
  }

  /** What shows of the log at the bottom, once it has these words. @param {string} words */
  async seesLog(words) {
    const lines = this.page.locator(".panel .view-lines", { hasText: pattern(words) })
    await lines.waitFor()
    return (await lines.innerText()).replaceAll("\u00a0", " ")
  }

  /** A notification with these words. @param {string | RegExp} words */
  notification(words) {
    return this.page.locator(".notification-toast, .notifications-center .notification-list-item").filter({ hasText: words }).first()
  }

  /** A modal dialog with these words. @param {string | RegExp} words */
  dialog(words) {
    return this.page.locator(".monaco-dialog-box").filter({ hasText: words })
  }

  /** @param {Locator} where @param {string} name of a button */
  async clicks(where, name) {
    await where.getByRole("button", { name, exact: true }).click()
  }

  /** How many calls wait, as the status bar says; 0 if it says nothing. @param {number} n */
  async seesWaiting(n) {
    const status = this.page.locator(`.statusbar-item[id="parley-mcp.parley.parley.waiting"]`)
    if (n) await status.filter({ hasText: String(n) }).waitFor()
    else await status.waitFor({ state: "hidden" })
  }

  /** Opens the list of calls at the side. */
  async opensCalls() {
    await this.runs("View: Show Parley")
    await this.page.locator(".sidebar .composite.title", { hasText: "Parley" }).waitFor()
  }

  /** A row of the list of calls. @param {string | RegExp} words */
  call(words) {
    return this.page.locator(".sidebar .monaco-list-row").filter({ hasText: words }).first()
  }

  /**
   * Goes on with a call of the list, whether the window that had it has given it
   * back or has just gone.
   *
   * @param {string} words of its row @param {string} question that is asked then
   */
  async goesOn(words, question) {
    await this.call(words).click()
    const asked = this.reads(question)
    const takes = this.dialog("Take it over?").getByRole("button", { name: "Take It Over" }).click()
    await Promise.race([asked, takes])
    await asked
    takes.catch(() => {}) // it was not needed
  }

  /** Lets the extension use models, if VS Code asks, until what is awaited is there. @param {Promise<unknown>} awaited */
  async allowsModels(awaited) {
    const allows = this.dialog("language model").getByRole("button", { name: "Allow" }).click()
    await Promise.race([allows, awaited])
    await awaited
    allows.catch(() => {}) // it was not asked
  }

  /** Keeps a picture of the window. @param {string} name */
  async photographs(name) {
    mkdirSync(pictures, { recursive: true })
    await this.page.screenshot({ path: `${pictures}/${name}.png` })
  }

  /** Leaves the window as if it were new. */
  async tidiesUp() {
    for (const other of this.#others.splice(0)) await other.leaves()
    await this.runs("View: Close All Editors")
    await this.runs("Notifications: Clear All Notifications")
    await this.runs("View: Show Explorer")
    await this.seesWaiting(0)
  }

  /** Closes the windows. */
  async leaves() {
    for (const other of this.#others) await other.leaves()
    await this.page.close()
  }
}

/** Words as an editor shows them: with other blanks, and lines with nothing between them. @param {string} words */
function pattern(words) {
  return new RegExp(
    words
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("\\s*"),
  )
}
