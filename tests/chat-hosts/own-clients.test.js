// The table in hosts/js/README.md: what the hosts' own clients make of a tool that asks. To write it anew: UPDATE=1 node --test own-clients.test.js
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import test from "node:test"

import { startDesk } from "./desk.js"
import { hosts } from "./own-clients.js"

const readme = new URL("../../hosts/js/README.md", import.meta.url)
const head = "| what the model sees | at a server of 2026-07-28 | at one of 2025-11-25 as well | with Parley |\n|---|---|---|---|\n"

test("the hosts with their own clients, and with Parley", async (t) => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))
  const [modern, both] = [await startDesk("--modern"), await startDesk()]
  t.after(modern.stop)
  t.after(both.stop)
  const done = "Work item 4711 is a duplicate of 42."
  let table = head
  for (const { host, packages, own, parley } of hosts) {
    for (const { url } of [modern, both]) assert.equal(await parley(url), done, `${host} with Parley`)
    const cells = [modern, both].map(async ({ url }) => short(await own(url).catch((error) => `no tools: ${error.message}`)))
    const versions = packages.map((name) => `${name} ${dependencies[name]}`).join(", ")
    table += `| ${[`${host}<br>(${versions})`, ...(await Promise.all(cells)), short(done)].join(" | ")} |\n`
  }
  const text = readFileSync(readme, "utf8")
  const at = text.indexOf(head)
  const had = text.slice(at, text.indexOf("\n\n", at) + 1)
  if (process.env.UPDATE) writeFileSync(readme, text.replace(had, () => table))
  else assert.equal(had, table, "the table in hosts/js/README.md")
})

/** What fits a table, without what differs from run to run. @param {string} said */
function short(said) {
  const plain = said.replace(/\s+/g, " ").replace(/127\.0\.0\.1:\d+/g, "…").replaceAll("|", "\\|")
  return plain.length > 100 ? `${plain.slice(0, 100)}…` : plain
}
