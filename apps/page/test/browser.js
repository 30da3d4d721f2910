// The browsers that the tests run in. A further one needs what is typed here
// and nothing else: tests are written in terms of person.js.

import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

import { launchChromium } from "./chromium.js"
import { launchFirefox } from "./firefox.js"
import { lending } from "./lending.js"
import { launchWebKit } from "./webkit.js"

/**
 * A tab. Selectors are CSS and match one element.
 *
 * @typedef {object} Tab
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {<A, R>(run: ((argument: A) => R | Promise<R>) | string, argument: A) => Promise<R>} evaluate runs a function in the page, or its text; both ways JSON
 * @property {(script: string) => Promise<unknown>} inject runs a script in the page, whatever its policy
 * @property {(selector: string) => Promise<unknown>} click as a person: the element is scrolled to and in nobody's shadow
 * @property {(selector: string, text: string) => Promise<unknown>} fill puts text in the place of what is there
 * @property {(selector: string, value: string) => Promise<unknown>} select an option by its value
 * @property {(key: string) => Promise<unknown>} press a key, in the words of the standard: "Tab", "Shift+Tab", "Enter", "a"
 * @property {(path: string) => Promise<unknown>} screenshot
 * @property {() => Promise<unknown>} close without letting the page know
 */

/**
 * What one person has open: tabs that share storage.
 *
 * @typedef {object} Profile
 * @property {() => Promise<Tab>} newTab
 * @property {() => Promise<Tab>} nextTab the next tab that a page opens
 * @property {() => Promise<unknown>} close
 */

/** How a person's browser is. @typedef {{width?: number, height?: number, dark?: boolean, amnesia?: boolean, locale?: string}} Look `amnesia`: it has no database; only Chromium takes a `locale` */

/**
 * @typedef {object} Browser
 * @property {string} name
 * @property {(look?: Look) => Promise<Profile>} newProfile
 * @property {() => Promise<string[]>} errors what pages have thrown, and what their policy has refused them, since the last time it was asked
 * @property {() => boolean} gone whether it has ended by itself
 * @property {() => Promise<unknown>} close
 */

/** What each browser is called on the PATH, and how it starts. @type {Record<string, {file: string, start: (path: string) => Promise<Browser>}>} */
const browsers = {
  chromium: { file: "chromium", start: launchChromium },
  firefox: { file: "firefox-esr", start: launchFirefox },
  webkit: { file: "WebKitWebDriver", start: launchWebKit },
}

/** @param {string} [name] BROWSER of the environment if absent, or else chromium @returns {Promise<Browser>} */
export async function launch(name = process.env.BROWSER || "chromium") {
  const browser = browsers[name]
  if (!browser) throw new Error(`there is no browser ${name}: BROWSER is one of ${Object.keys(browsers).join(", ")}`)
  return lending(await browser.start(installed(name)))
}

/** Where a browser is installed. @param {string} name */
export function installed(name) {
  const file = browsers[name]?.file ?? name
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, file))
    .find(executable)
  if (!found) throw new Error(`there is no ${file} on the PATH: run test/setup.sh ${name}`)
  return found
}

/** @param {string} path */
function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
