// Builds dist/, which is what npm publishes: the sources as they are, the modules
// from wasm/, what is generated, and the declarations.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
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

for (const name of ["parley.wasm", "parley-session.wasm", "parley-session-fast.wasm", "parley-codec.wasm"]) cpSync(`../../wasm/${name}`, `dist/${name}`)
const inline = gzipSync(readFileSync("dist/parley-session.wasm"), { level: 9 }).toString("base64")
writeFileSync("dist/parley-inline.js", `export default "${inline}"\n`)

// The scripts of the store in Redis are the Go module's own: the two share what they keep.
const part = (/** @type {string} */ name) => readFileSync(`../go/store/redis/scripts/${name}.lua`, "utf8")
/** What each follows. @type {Record<string, string[]>} */
const follows = {
  create: ["begin"], take: ["begin"], discard: ["begin"], save: ["begin", "fenced"], renew: ["begin", "fenced"],
  done: ["begin", "ending"], release: ["begin", "ending"], look: [], mark: [],
}
const scripts = Object.entries(follows).map(([name, before]) => {
  const text = [...before, name].map(part).join("")
  return [name, { text, sha: createHash("sha1").update(text).digest("hex") }]
})
writeFileSync("dist/store-redis-scripts.js", `export const scripts = ${JSON.stringify(Object.fromEntries(scripts), null, 2)}\n`)

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
