// Usage: node verdict.mjs run expected status checks.json stdout.txt
//
// Prints one line for a run of a scenario, one for each check that failed, warned
// or was skipped, and one for each warning of the client. Exits with 1 then, when
// the number of checks is not the expected one, and when the suite itself did not
// exit with status 0.
import { existsSync, readFileSync } from "node:fs"

// Checks that may be skipped, and why. No warning of the suite's is excused.
const excused = new Map([
  ["ClientMcpMethodHeader_initialize", "2026-07-28 has no initialize"],
  ["ClientMcpMethodHeader_notifications_initialized", "nor its notification"],
])

// What the session is to warn of: the tools of http-invalid-tool-headers.
const due = /^warning: left out the tool "invalid_/

const [run, expected, status, ...files] = process.argv.slice(2)
const checks = read(files[0]).filter((c) => c.status !== "INFO") // a record of what was sent
const warnings = text(files[1]).split("\n").filter((line) => line.startsWith("warning: ") && !due.test(line))
const passed = checks.filter((c) => c.status === "SUCCESS")
const bad = checks.filter((c) => c.status !== "SUCCESS" && !(c.status === "SKIPPED" && excused.has(c.name)))
const ok = bad.length === 0 && warnings.length === 0 && passed.length === Number(expected) && passed.length > 0 && status === "0"

console.log(`${ok ? "ok  " : "FAIL"} ${run}: ${passed.length} of ${expected} checks passed${status === "0" ? "" : `, exit status ${status}`}`)
for (const c of bad) {
  console.log(`     ${c.status} ${c.name}: ${c.errorMessage ?? c.description}`)
}
for (const line of warnings) console.log(`     the client's ${line}`)
process.exitCode = ok ? 0 : 1

/**
 * @param {string | undefined} file
 * @returns {{name: string, status: string, description: string, errorMessage?: string}[]}
 */
function read(file) {
  return JSON.parse(text(file) || "[]")
}

/** A scenario that the suite refused to run has no files. @param {string | undefined} file */
function text(file) {
  return file && existsSync(file) ? readFileSync(file, "utf8") : ""
}
