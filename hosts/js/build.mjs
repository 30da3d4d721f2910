// Builds dist/, which is what npm publishes: the sources as they are, the modules
// from wasm/, what is generated, and the declarations.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

process.chdir(fileURLToPath(new URL(".", import.meta.url)))
rmSync("dist", { recursive: true, force: true })
mkdirSync("dist")

/** The files with a dependency, and its licence. @type {Record<string, [name: string, licence: string]>} */
const bundled = { "sse.js": ["eventsource-parser", "LICENSE"], "oauth-protocol.js": ["oauth4webapi", "LICENSE.md"] }
for (const name of readdirSync("src")) {
  if (!Object.hasOwn(bundled, name)) cpSync(`src/${name}`, `dist/${name}`)
}

for (const name of ["parley.wasm", "parley-session.wasm", "parley-codec.wasm"]) cpSync(`../../wasm/${name}`, `dist/${name}`)
const inline = gzipSync(readFileSync("dist/parley-session.wasm"), { level: 9 }).toString("base64")
writeFileSync("dist/parley-inline.js", `export default "${inline}"\n`)

// What it depends on goes into it, licence and all.
for (const [file, [dependency, text]] of Object.entries(bundled)) {
  const licence = readFileSync(`node_modules/${dependency}/${text}`, "utf8")
  const { version } = JSON.parse(readFileSync(`node_modules/${dependency}/package.json`, "utf8"))
  await build({
    absWorkingDir: process.cwd(),
    entryPoints: [`src/${file}`],
    outfile: `dist/${file}`,
    bundle: true,
    format: "esm",
    target: "es2022",
    banner: { js: `/*! Contains ${dependency} ${version}:\n\n${licence.trim()}\n*/` },
  })
}

execFileSync("node_modules/.bin/tsc", ["-p", "."], { stdio: "inherit" })
cpSync("../../LICENSE", "LICENSE") // for npm pack, which wants it here
