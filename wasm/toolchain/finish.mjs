// Usage: node finish.mjs in.wasm in.map out.wasm opt imports
//
// Strips what TinyGo adds by accident (the runtime exports fminimum, fmaximum
// and, for some targets, malloc and free) and what nothing reads, optimises
// again so that the code behind it goes too, and refuses an import that the
// artifact does not declare.
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { blankTypes } from "./types.mjs"

const [input, map, output, opt, imports] = process.argv.slice(2)
const { default: binaryen } = await import(process.env.PARLEY_BINARYEN)

/** The ABI's exports, the second half those of the Extism plug-in; see ../ABI.md. */
const isABI = /^(memory|_initialize|parley_\w+|session|call|resume|close|seal|open|inbound|outbound)$/

const linked = readFileSync(input)
blankTypes(linked, readFileSync(map, "utf8"))
const module = binaryen.readBinary(linked)
const names = Array.from({ length: module.getNumExports() },
  (_, i) => binaryen.getExportInfo(module.getExportByIndex(i)).name)
for (const name of names) {
  if (!isABI.test(name)) module.removeExport(name)
}
// Some Extism hosts call _initialize and some do not (go-sdk without WASI), so a
// plug-in does it by itself.
if (imports !== "-") {
  const { value } = binaryen.getExportInfo(module.getExport("_initialize"))
  module.setStart(module.getFunction(value))
  module.removeExport("_initialize")
}
binaryen.setOptimizeLevel(opt === "z" || opt === "s" ? 2 : Number(opt))
binaryen.setShrinkLevel({ s: 1, z: 2 }[opt] ?? 0)
binaryen.setLowMemoryUnused(true) // the stack is first, so no address below 1024 is anybody's
module.optimize()
module.runPasses(["strip-debug", "strip-producers", "strip-target-features"])
const bytes = module.emitBinary()

const allowed = imports.split(",")
const undeclared = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
  .filter((i) => !allowed.includes(i.module))
if (undeclared.length > 0) {
  const list = undeclared.map((i) => `${i.module}.${i.name}`).join(", ")
  console.error(`${basename(output)} imports ${list}, which wasm.sh does not declare`)
  process.exit(1)
}
writeFileSync(output, bytes)
