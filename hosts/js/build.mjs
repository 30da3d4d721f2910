// Builds dist/, which is what npm publishes: the sources as they are, the modules
// from wasm/, what is generated, and the declarations.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

process.chdir(fileURLToPath(new URL(".", import.meta.url)))
rmSync("dist", { recursive: true, force: true })
mkdirSync("dist")

const bundled = "sse.js" // the one file with a dependency
for (const name of readdirSync("src")) {
  if (name !== bundled) cpSync(`src/${name}`, `dist/${name}`)
}

for (const name of ["parley.wasm", "parley-session.wasm", "parley-codec.wasm"]) cpSync(`../../wasm/${name}`, `dist/${name}`)
const inline = gzipSync(readFileSync("dist/parley-session.wasm"), { level: 9 }).toString("base64")
writeFileSync("dist/parley-inline.js", `export default "${inline}"\n`)

// What it depends on goes into it, licence and all.
const require = createRequire(import.meta.url)
const licence = readFileSync(require.resolve("eventsource-parser").replace(/dist\/.*/, "LICENSE"), "utf8")
const { version } = JSON.parse(readFileSync("node_modules/eventsource-parser/package.json", "utf8"))
await build({
  absWorkingDir: process.cwd(),
  entryPoints: [`src/${bundled}`],
  outfile: `dist/${bundled}`,
  bundle: true,
  format: "esm",
  target: "es2022",
  banner: { js: `/*! Contains eventsource-parser ${version}:\n\n${licence.trim()}\n*/` },
})

execFileSync("node_modules/.bin/tsc", ["-p", "."], { stdio: "inherit" })
cpSync("../../LICENSE", "LICENSE") // for npm pack, which wants it here
