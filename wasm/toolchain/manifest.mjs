// Usage: node manifest.mjs dir file.wasm... -- tool=version...
//
// Writes dir/manifest.json: what each artifact is, which sources it was made of
// (as dir/file.wasm.sources says) and which tools made it.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const [dir, ...args] = process.argv.slice(2)
const files = args.slice(0, args.indexOf("--")).sort()
const tools = args.slice(args.indexOf("--") + 1).sort().map((t) => t.split("="))

const artifacts = {}
for (const file of files) {
  const bytes = readFileSync(join(dir, file))
  artifacts[file] = {
    abi: abiVersion(bytes),
    gzip: gzipSize(bytes),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
    sources: JSON.parse(readFileSync(join(dir, `${file}.sources`), "utf8")),
  }
}
const manifest = { artifacts, tools: Object.fromEntries(tools) }
writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest, null, 2) + "\n")

// The module's own word, not a copy of a constant that could go stale. An
// import is never called for this, so any function will do.
function abiVersion(bytes) {
  const module = new WebAssembly.Module(bytes)
  const imports = {}
  for (const i of WebAssembly.Module.imports(module)) {
    (imports[i.module] ??= {})[i.name] = () => 0
  }
  const { exports } = new WebAssembly.Instance(module, imports)
  exports._initialize?.() // a plug-in's start function did it
  return exports.parley_abi_version()
}

// GNU gzip and not Node's zlib, whose output depends on the Node release and
// the processor. -n leaves out name and time.
function gzipSize(bytes) {
  return execFileSync("gzip", ["-9", "-n", "-c"], { input: bytes, maxBuffer: 1 << 28 }).length
}
