// Builds dist/: the extension as one file for each extension host, with the
// engine's and the codec's modules inside.

import { cpSync, readFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

import { build } from "esbuild"

process.chdir(fileURLToPath(new URL(".", import.meta.url)))
rmSync("dist", { recursive: true, force: true })

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  format: "cjs",
  target: "es2022",
  external: ["vscode"],
  loader: { ".wasm": "binary" },
  minify: true,
  keepNames: true,
  legalComments: "linked",
  logLevel: "warning",
  logOverride: { "empty-import-meta": "silent" }, // loaders that look beside their file, which are not used
}
const { version } = JSON.parse(readFileSync("node_modules/@redis/client/package.json", "utf8"))
const redis = `/*! Contains @redis/client ${version}, copyright Redis Inc., under the MIT License: https://github.com/redis/node-redis/blob/master/LICENSE */`
await Promise.all([
  build({ ...shared, entryPoints: ["src/node.js"], outfile: "dist/node.js", platform: "node", banner: { js: redis } }),
  build({ ...shared, entryPoints: ["src/web.js"], outfile: "dist/web.js", platform: "browser" }),
])
cpSync("../../LICENSE", "LICENSE") // for the package, which wants it here
