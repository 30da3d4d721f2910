// Usage: node finish.mjs in.wasm in.map out.wasm imports
//
// Strips what nothing reads and what TinyGo exports by accident (a stub of a system
// call), and refuses an import that the artifact does not declare. Instructions stay
// as LLVM made them: ../../RATIONALE.md.
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { ids, join, readExports, sections, writeExports, unsigned } from "./module.mjs"
import { blankTypes } from "./types.mjs"

const [input, map, output, imports] = process.argv.slice(2)

/** The ABI's exports, the second half those of the Extism plug-in; see ../ABI.md. */
const isABI = /^(memory|_initialize|parley_\w+|session|call|resume|close|form|form_check|seal|open|inbound|outbound)$/

const linked = readFileSync(input)
blankTypes(linked, readFileSync(map, "utf8"))
const kept = sections(linked).filter(({ id }) => id !== ids.custom)
const at = kept.findIndex(({ id }) => id === ids.exports)
let exports = readExports(kept[at].content).filter(({ name }) => isABI.test(name))
// Some Extism hosts call _initialize and some do not (go-sdk without WASI), so a
// plug-in does it by itself.
if (imports !== "-") {
  const { index } = exports.find(({ name }) => name === "_initialize")
  exports = exports.filter(({ name }) => name !== "_initialize")
  kept.splice(at + 1, 0, { id: ids.start, content: unsigned(index) })
}
kept[at].content = writeExports(exports)
const bytes = join(kept)

const allowed = imports.split(",")
const undeclared = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
  .filter((i) => !allowed.includes(i.module))
if (undeclared.length > 0) {
  const list = undeclared.map((i) => `${i.module}.${i.name}`).join(", ")
  console.error(`${basename(output)} imports ${list}, which wasm.sh does not declare`)
  process.exit(1)
}
writeFileSync(output, bytes)
