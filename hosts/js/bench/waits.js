// What somebody waits in Node beside hostile servers, as hosts/go/bench.sh prints it for Go.
import { stalls } from "./stall.js"

const column = (/** @type {number} */ ms, /** @type {number} */ width, digits = 1) => ms.toFixed(digits).padStart(width)

console.log("Node: ms until an answer is sent, and a cancel or a park is done, beside sessions whose servers send the worst bytes: the median and the worst of 200")
console.log("beside          answer: median   worst  cancel: median   worst  park: median   worst  longest step")
for (const { beside, waits, step } of await stalls(60 << 20)) {
  const columns = Object.entries(waits).map(([how, all]) => `${column(all[all.length >> 1] ?? NaN, how.length + 8, 2)}  ${column(all.at(-1) ?? NaN, 6)}`)
  console.log(`${beside.padEnd(14)}  ${columns.join("  ")}  ${column(step, 12)}`)
}
