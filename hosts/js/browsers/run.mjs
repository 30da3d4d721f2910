// Runs the package's tests in real browsers, in a page and in a module worker
// of each. Usage: node run.mjs [chromium] [firefox] [webkit]
import { randomUUID } from "node:crypto"

import { codecSuite } from "../test/codec-suite.js"
import { startGoServer } from "../test/go-server.js"
import { suite } from "../test/suite.js"
import { engines, launch, missing } from "./launch.mjs"
import { measured } from "./place.mjs"
import { corpus, startSite } from "./site.mjs"

/** @import { Place } from "./place.mjs" */

const skip = 77

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !engines.includes(name))
if (unknown) {
  console.error(`run.mjs: there is no ${unknown}: give some of ${engines.join(", ")}, or nothing for all`)
  process.exit(2)
}

const { scripts, sessions, frames, drivers, vectors } = await corpus()
const inNode = testsInNode()
const site = await startSite({ "/hosts/js/": new URL("../", import.meta.url), "/wasm/": new URL("../../../wasm/", import.meta.url) })
const servers = {
  stream: await startGoServer(["-origin", site.origin]),
  json: await startGoServer(["-origin", site.origin, "-json"]),
  closed: await startGoServer(), // to pages of other origins
}
const elsewhere = await startSite({})
const urls = { stream: servers.stream.url, json: servers.json.url, closed: servers.closed.url, elsewhere: elsewhere.origin }
try {
  for (const engine of wanted.length ? wanted : engines) await runIn(engine)
} finally {
  for (const { stop } of [...Object.values(servers), elsewhere]) stop()
  site.stop()
}

/** @param {string} engine */
async function runIn(engine) {
  const programs = missing(engine)
  if (programs.length) {
    console.log(`${engine}: skipped: there is no ${programs.join(" and no ")} on the PATH: run hosts/js/browsers/setup.sh`)
    process.exitCode ||= skip
    return
  }
  const browser = await launch(engine)
  const name = `${engine} ${browser.version}`
  try {
    // In WebKitGTK 2.50 an instance traps in one run of five, or the browser crashes,
    // and not in the next; without its optimizing compiler (JSC_useOMGJIT=0) it never
    // did. The scripts know neither time nor chance: what fails once is the browser's,
    // and is printed all the same.
    const again = engine === "webkit" ? 3 : 0
    /** @param {string} where @param {(place: Place, realm: string) => Promise<string | void>} run */
    const inBoth = (where, run) =>
      // They wait more than they work. The page comes last: behind another tab its timers would be slow.
      Promise.all(["worker", "page"].map((realm) => measured(`${name}, ${realm}${where}`, site, browser, (place) => run(place, realm), again)))
    await inBoth("", everything)
    await inBoth(" without 'wasm-unsafe-eval'", forbidden)
    await measured(`${name}, two tabs`, site, browser, twoTabs, again)
  } finally {
    await browser.close()
  }
}

/** The whole suite, of which nothing may be missing that Node runs. @param {Place} place @param {string} realm */
async function everything(place, realm) {
  const page = await place.open({ module: "all", realm, ...urls })
  const { replayed } = await page.until()
  await page.close()
  if (replayed < scripts.length) place.failures.push(`it replayed ${replayed} of ${scripts.length} scripts`)
  for (const name of inNode) if (!place.tests.has(name)) place.failures.push(`it did not run: ${name}`)
  return `${replayed} scripts, ${vectors.length} vectors, `
}

/** @param {Place} place @param {string} realm */
async function forbidden(place, realm) {
  const page = await place.open({ module: "forbidden", realm, csp: "none" })
  await page.until()
  await page.close()
}

/** @param {Place} place */
async function twoTabs(place) {
  const calls = randomUUID() // one who tries again has calls of its own
  const first = await place.open({ module: "tabs", tab: "first", calls, ...urls })
  await first.until("asking")
  const second = await place.open({ module: "tabs", tab: "second", calls, ...urls })
  await first.until()
  await second.until("close the first tab")
  await first.close()
  await second.until()
  await second.close()
}

/** What Node's tests are called that are meant for every place. */
function testsInNode() {
  /** @type {string[]} */
  const names = []
  const test = (/** @type {string} */ name) => void names.push(name)
  const never = () => Promise.reject()
  suite({ test, scripts, sessions, frames, drivers, load: never, module: never, flowModule: never, wasm: never })
  codecSuite({ test, vectors, codecWasm: never, engineWasm: never })
  return names
}
