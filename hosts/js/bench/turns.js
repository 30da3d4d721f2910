// One of the clients that tests/peers compares: core, session, requests or sdk. It writes a line with its name. For
// each line with a number of legs and one of calls that it reads it writes the nanoseconds that these calls took, and
// those of the processor.
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

import { core } from "./core.js"
import { sdk } from "./sdk.js"
import { requests, session } from "./session.js"

const clients = { core, session, requests, sdk }
const name = /** @type {keyof typeof clients} */ (process.argv[2])
const { version } = JSON.parse(readFileSync(new URL("../node_modules/@modelcontextprotocol/client/package.json", import.meta.url), "utf8"))
console.log(name === "sdk" ? `TypeScript SDK ${version}` : `${name} Node`)

/** @type {Record<number, () => Promise<void>>} */
const made = {}
for await (const line of createInterface({ input: process.stdin })) {
  const [legs = 1, calls = 1] = line.split(" ").map(Number)
  const once = (made[legs] ??= await clients[name](legs))
  const begun = process.hrtime.bigint()
  const cpu = process.cpuUsage()
  for (let i = 0; i < calls; i++) await once()
  const { user, system } = process.cpuUsage(cpu) // us
  console.log(`${process.hrtime.bigint() - begun} ${(user + system) * 1000}`)
}
process.exit() // timers of the SDK would keep it
