/** @import { Browser } from "./launch.mjs" */
/** @import { Said, Site } from "./site.mjs" */

/** How long a page may say nothing, in milliseconds. */
const patience = 660_000

/** How many failures of a place are printed. */
const shown = 10

/**
 * Runs tests in a place, and prints a line and what failed.
 *
 * @param {string} name @param {Site} site @param {Browser} browser
 * @param {(place: Place) => Promise<string | void>} run may return what else to say of it
 * @param {number} [again] how often what fails is run once more: it counts if it fails the last time, too
 */
export async function measured(name, site, browser, run, again = 0) {
  const place = new Place(site, browser)
  const { tests, failures } = place
  const start = performance.now()
  let note = ""
  try {
    note = (await run(place)) ?? ""
  } catch (error) {
    failures.push(String(error))
  }
  if (!tests.size) failures.push("no test has run")
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const failed = failures.length ? `, ${failures.length} failed` : ""
  console.log(`${failed ? "FAIL" : "ok  "} ${name}: ${note}${tests.size} test${tests.size === 1 ? "" : "s"}${failed}, ${seconds} s`)
  for (const failure of failures.slice(0, shown)) console.log(failure.replace(/^/gm, "     "))
  if (failures.length > shown) console.log(`     and ${failures.length - shown} more`)
  if (failed && again) await measured(`${name}, once more`, site, browser, run, again - 1)
  else if (failed) process.exitCode = 1
}

/** A place to run tests in: what its pages say is gathered here. */
export class Place {
  /** The names of the tests that have run. @type {Set<string>} */
  tests = new Set()
  /** @type {string[]} */
  failures = []
  #site
  #browser

  /** @param {Site} site @param {Browser} browser */
  constructor(site, browser) {
    this.#site = site
    this.#browser = browser
  }

  /**
   * Opens a page. `until` waits for an event of it or for its end, and rejects
   * if it falls silent.
   *
   * @param {Record<string, string>} settings for the page, in its URL
   * @param {string} [path] the page that runs a module of pages/ if absent
   */
  async open(settings, path = "/hosts/js/browsers/pages/index.html") {
    /** @type {Said[]} */
    const unheard = []
    let heard = () => {}
    const url = this.#site.page(path, settings, (said) => {
      if ("test" in said) this.#gather(said)
      unheard.push(said)
      heard()
    })
    const tab = await this.#browser.open(url)
    return {
      close: () => tab.close(),
      /** @param {string} [event] the end if absent @returns {Promise<{replayed: number}>} */
      until: async (event) => {
        for (;;) {
          for (let said; (said = unheard.shift()); ) if (event === undefined ? "done" in said : "event" in said && said.event === event) return { replayed: 0, ...said }
          await within(patience, (resolve) => (heard = resolve), tab.gone)
        }
      },
    }
  }

  /** @param {{test: string, error?: string}} said */
  #gather({ test, error }) {
    this.tests.add(test)
    if (error !== undefined) this.failures.push(`${test}: ${error}`)
  }
}

/** @param {number} ms @param {(resolve: () => void) => void} start @param {Promise<never>} [gone] there is nothing to wait for any more */
async function within(ms, start, gone = new Promise(() => {})) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the page said nothing for ${ms / 1000} s`)), ms)
  })
  try {
    await Promise.race([late, gone, new Promise((resolve) => start(() => resolve(undefined)))])
  } finally {
    clearTimeout(timer)
  }
}
