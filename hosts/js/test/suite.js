/**
 * Where a suite runs: Node, a page or a module worker. A suite is a function
 * that gets it and registers tests; it imports nothing of a platform.
 *
 * @typedef {object} Env
 * @property {(name: string, run: () => unknown) => void} test
 * @property {() => Promise<import("../dist/index.js").Engine>} load with the platform's loader
 * @property {() => Promise<WebAssembly.Module>} module parley.wasm, compiled
 * @property {() => Promise<Uint8Array<ArrayBuffer>>} wasm its bytes
 * @property {() => Promise<WebAssembly.Module>} flowModule wasm/testdata/flow.wasm, which has the exports of flows beside those of sessions
 * @property {{name: string, text: string}[]} scripts of engine/testdata/flows
 * @property {{name: string, text: string}[]} sessions of engine/testdata/sessions
 * @property {{name: string, text: string}[]} frames of engine/testdata/frames
 * @property {{name: string, text: string}[]} drivers of hosts/testdata/drivers
 */

import authorize from "./suites/authorize.js"
import calls from "./suites/call.js"
import corpus from "./suites/corpus.js"
import drivers from "./suites/drivers.js"
import engine from "./suites/engine.js"
import transport from "./suites/http.js"
import frames from "./suites/frames.js"
import fetching from "./suites/fetch.js"
import connections from "./suites/requests.js"
import resuming from "./suites/resume.js"
import session from "./suites/session.js"
import slices from "./suites/slices.js"
import stores from "./suites/store.js"
import subscription from "./suites/subscription.js"
import tabs from "./suites/tabs.js"
import typed from "./suites/typed.js"

/** Registers the tests of every suite. @param {Env} env */
export function suite(env) {
  for (const register of [corpus, frames, drivers, engine, calls, connections, resuming, transport, session, slices, fetching, subscription, authorize, stores, tabs, typed]) register(env)
}
