import { failure, report, setting } from "./report.js"

/** How long a test may take, in milliseconds: long for a busy machine, short of the runner's own patience. */
const patience = 600_000

/** @type {{name: string, run: () => unknown}[]} */
const tests = []

/** Registers a test. @param {string} name @param {() => unknown} run */
export function test(name, run) {
  tests.push({ name, run })
}

/**
 * Runs the tests one after another and reports each to the runner, and at last
 * that it is done. What is left unhandled or breaks the page's policy fails,
 * too.
 *
 * @param {number} [replayed] how many scripts of the corpus the tests replay
 */
export async function runTests(replayed) {
  addEventListener("unhandledrejection", ({ reason }) => void report({ test: "every rejection is handled", error: failure(reason) }))
  addEventListener("error", (event) => {
    event.preventDefault() // a worker's page hears of it otherwise
    report({ test: "every error is caught", error: failure(event.error ?? event.message) })
  })
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    if (setting("csp") !== "none") report({ test: "the policy is kept", error: `${violatedDirective} ${blockedURI}` })
  })
  for (const { name, run } of tests) {
    try {
      await Promise.race([run(), late()])
      await report({ test: name })
    } catch (error) {
      await report({ test: name, error: failure(error) })
    }
  }
  await report({ done: true, replayed })
}

async function late() {
  await new Promise((resolve) => setTimeout(resolve, patience))
  throw new Error(`not done after ${patience / 1000} s`)
}
