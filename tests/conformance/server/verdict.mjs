// Usage: node verdict.mjs scenario expected checks.json
//
// Prints one line for a scenario, and one for each check that is anything but
// a success: a warning, too, and a check that was skipped. Exits with 1 then,
// or when the number of checks is not the expected one. "skipped" expects a
// scenario to skip all it has.
import { readFileSync } from "node:fs"

const [scenario, expected, file] = process.argv.slice(2)
const checks = read(file)
if (expected === "skipped") {
  const skips = checks.length > 0 && checks.every((c) => c.status === "SKIPPED")
  console.log(skips ? `skip ${scenario}: by the suite itself` : `FAIL ${scenario}: the suite does not skip it any more`)
  process.exit(skips ? 0 : 1)
}
const bad = checks.filter((c) => c.status !== "SUCCESS")
const ok = bad.length === 0 && checks.length === Number(expected) && checks.length > 0

console.log(`${ok ? "ok  " : "FAIL"} ${scenario}: ${checks.length - bad.length} of ${expected} checks passed`)
for (const c of bad) {
  console.log(`     ${c.status} ${c.name}: ${c.errorMessage ?? c.description}`)
}
process.exitCode = ok ? 0 : 1

// A scenario the suite refused to run has no file.
function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return []
  }
}
