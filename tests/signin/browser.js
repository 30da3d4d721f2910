// A real browser at the authorization server's pages, and the person before it.

import { chromium } from "playwright-core"

/** @import { Browser, BrowserContext, Page } from "playwright-core" */

/** How long a page may take, in milliseconds. Nobody waits for it on a good day. */
const patience = 120_000

/** Starts Chromium. It reaches this machine and nothing else: the pages want fonts from elsewhere. */
export async function startBrowser() {
  const args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args, timeout: patience })
  return {
    /** A person, who is signed in nowhere. */
    person: async () => new Person(await browser.newContext()),
    // Chromium sometimes never says that it has closed. Its process goes with this one.
    close: () => Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 20_000).unref())]),
  }
}

/** A person with a browser. It keeps them signed in at the authorization server from page to page. */
export class Person {
  /** @param {BrowserContext} context */
  constructor(context) {
    this.context = context
    /** The last text that a page showed at the end of a sign-in. */
    this.read = ""
    /** How often they had to say who they are. */
    this.named = 0
    /** What they were asked to allow, one entry for each time. @type {string[]} */
    this.allowed = []
  }

  /** Opens an authorization URL and does everything it asks for. @param {string} url @param {string} name */
  async signsIn(url, name) {
    const page = await this.opens(url)
    await this.does(page, name)
    return page
  }

  /** Opens a page. @param {string} url */
  async opens(url) {
    const page = await this.context.newPage()
    page.setDefaultTimeout(patience)
    await page.goto(url)
    return page
  }

  /** Answers page after page, until the authorization server has nothing more to ask. @param {Page} page @param {string} name */
  async does(page, name) {
    for (;;) {
      const asked = await page.evaluate(() => document.querySelector('input[name="prompt"]')?.getAttribute("value"))
      if (asked === "login") {
        this.named++
        await page.fill('input[name="login"]', name)
        await page.fill('input[name="password"]', "any word will do")
      } else if (asked === "consent") {
        this.allowed.push(await page.evaluate(() => [...document.querySelectorAll(".login-card ul ul li")].map((li) => li.textContent?.trim()).join(" ")))
      } else {
        this.read = await page.evaluate(() => document.body.innerText)
        return
      }
      await Promise.all([page.waitForNavigation(), page.click("button[type=submit]")])
    }
  }

  /** Opens an authorization URL and says no, at the first page or, with a name, after signing in. @param {string} url @param {string} [name] */
  async denies(url, name) {
    const page = await this.opens(url)
    if (name !== undefined && (await page.$('input[name="login"]'))) {
      await page.fill('input[name="login"]', name)
      await page.fill('input[name="password"]', "any word will do")
      await Promise.all([page.waitForNavigation(), page.click("button[type=submit]")])
    }
    await Promise.all([page.waitForNavigation(), page.click("text=Cancel")])
    this.read = await page.evaluate(() => document.body.innerText)
    return page
  }

  /** Opens an authorization URL, looks at it, and closes the window. @param {string} url */
  async closes(url) {
    const page = await this.opens(url)
    await page.waitForSelector('input[name="prompt"]', { state: "attached" })
    await page.close()
  }

  leaves() {
    return this.context.close()
  }
}
