// Builds dist/, which is what npm publishes: what every host loads in one file, the other sources as they are, the modules
// from wasm/, what is generated, and the declarations.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

import { gzipAsync } from "@gfx/zopfli"
import { build } from "esbuild"

import { buildCore } from "./build-core.mjs"

process.chdir(fileURLToPath(new URL(".", import.meta.url)))
rmSync("dist", { recursive: true, force: true })
cpSync("src", "dist", { recursive: true })

for (const name of ["parley.wasm", "parley-fast.wasm", "parley-codec.wasm"]) cpSync(`../../wasm/${name}`, `dist/${name}`)
// Compressed once and loaded often: zopfli takes a second or three, and a twentieth off what gzip writes.
const inline = Buffer.from(await gzipAsync(readFileSync("dist/parley.wasm"), { numiterations: 5 })).toString("base64")
writeFileSync("dist/engine/parley-inline.js", `export default "${inline}"\n`)

// The scripts of the store in Redis are the Go module's own: the two share what they keep.
const part = (/** @type {string} */ name) => readFileSync(`../go/store/redis/scripts/${name}.lua`, "utf8")
/** What each follows. @type {Record<string, string[]>} */
const follows = {
  create: ["begin", "taking"], take: ["begin", "taking"], discard: ["begin"], save: ["begin", "fenced"], renew: ["begin", "fenced"],
  done: ["begin", "ending"], release: ["begin", "ending"], look: [], mark: [],
}
const scripts = Object.entries(follows).map(([name, before]) => {
  const text = [...before, name].map(part).join("")
  return [name, { text, sha: createHash("sha1").update(text).digest("hex") }]
})
writeFileSync("dist/store/redis/scripts.js", `export const scripts = ${JSON.stringify(Object.fromEntries(scripts), null, 2)}\n`)

// What it depends on goes into it, licence and all.
const licensed = (/** @type {string} */ dependency, /** @type {string} */ file) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${dependency}/package.json`, "utf8"))
  return `/*! Contains ${dependency} ${version}:\n\n${readFileSync(`node_modules/${dependency}/${file}`, "utf8").trim()}\n*/`
}
/** @type {import("esbuild").BuildOptions} */
const shape = { absWorkingDir: process.cwd(), bundle: true, format: "esm", target: "es2022", outbase: "src", allowOverwrite: true }
await buildCore(shape, licensed("eventsource-parser", "LICENSE"))
await build({ ...shape, entryPoints: ["src/oauth/protocol.js"], outdir: "dist", banner: { js: licensed("oauth4webapi", "LICENSE.md") } })

execFileSync("node_modules/.bin/tsc", ["-p", "."], { stdio: "inherit" })
cpSync("../../LICENSE", "LICENSE") // for npm pack, which wants it here
