// Parley beside @modelcontextprotocol/client, as ratios: whole calls, cold
// start and what a browser downloads.
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

import { bundles } from "./bundle.js"
import { flow } from "./flow.js"
import { sdk } from "./sdk.js"
import { borrowed, session } from "./session.js"

console.log(`Node ${process.version}; sdk is @modelcontextprotocol/client 2.4.0. Both make and read JSON text for every leg;`)
console.log("Parley also checks each round and validates the answer. The best of 9 runs, which take turns.\n")

console.log("legs  session us/call  ratio  requests us/call  ratio  flow us/call  ratio  sdk us/call")
for (const legs of [1, 2, 10]) {
  const contestants = [await session(legs), await borrowed(legs), await flow(legs), await sdk(legs)]
  const best = contestants.map(() => Infinity)
  for (let run = 0; run < 10; run++) {
    for (const [i, once] of contestants.entries()) {
      const took = await time(once, Math.ceil(4000 / legs))
      if (run > 0) best[i] = Math.min(best[i] ?? Infinity, took) // the first warms up
    }
  }
  const theirs = best.pop() ?? NaN
  const ours = best.map((took, i) => `${column(took, [15, 16, 12][i] ?? 0)}  ${column(took / theirs, 5, 3)}`)
  console.log(`${String(legs).padStart(4)}  ${ours.join("  ")}  ${column(theirs, 11)}`)
}

console.log("\ncold start: import, instantiate and a first call of 2 legs, in processes of their own; the median of 11")
console.log("      parley ms       sdk ms       ratio")
const [ours = NaN, theirs = NaN] = ["session", "sdk"].map((name) => Array.from({ length: 11 }, () => cold(name)).sort((a, b) => a - b)[5])
console.log(`${column(ours, 15)}  ${column(theirs, 11)}  ${column(ours / theirs, 11, 3)}`)

console.log("\nbundle of a minimal browser client by esbuild, minified, and gzipped")
const sizes = await bundles()
for (const [name, { minified, gzip }] of Object.entries(sizes)) {
  console.log(`${name.padEnd(15)} ${kb(minified)} ${kb(gzip)}  ratio ${(gzip / (sizes.sdk?.gzip ?? NaN)).toFixed(3)}`)
}

/** Microseconds a call. @param {() => Promise<void>} once @param {number} calls */
async function time(once, calls) {
  const begun = performance.now()
  for (let i = 0; i < calls; i++) await once()
  return ((performance.now() - begun) * 1000) / calls
}

/** @param {string} name */
function cold(name) {
  return Number(execFileSync(process.execPath, [fileURLToPath(new URL("cold.js", import.meta.url)), name], { encoding: "utf8" }))
}

/** @param {number} figure @param {number} width @param {number} [digits] */
function column(figure, width, digits = 1) {
  return figure.toFixed(digits).padStart(width)
}

/** @param {number} bytes */
function kb(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(7)} KB`
}
