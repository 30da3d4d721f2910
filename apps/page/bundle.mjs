// The page's scripts and styles, put together: a browser that asks for each of eighty files asks the network as often.
// What few people need stays apart: signing in, and languages.

import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const here = new URL(".", import.meta.url)

/** The package as it is published. Its module and what is generated are only there. */
export const parley = new URL("../../hosts/js/dist/", here)

/** Where the page finds it all. */
export const folder = "/built/"

/** @type {Promise<Map<string, Uint8Array>> | undefined} */
let made

/** The files, by their paths. They are made once. */
export function bundle() {
  return (made ??= make())
}

async function make() {
  const { build } = createRequire(new URL("../package.json", parley))("esbuild") // which made the package
  /** @type {{outputFiles: {path: string, contents: Uint8Array}[]}} */
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(here),
    entryPoints: ["src/main.js", "src/start.js", "src/signed-in.js", "style/page.css"],
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    outdir: fileURLToPath(new URL(`.${folder}`, here)),
    alias: { "@parley-mcp/parley": fileURLToPath(new URL("browser.js", parley)), "@parley-mcp/parley/oauth": fileURLToPath(new URL("oauth/web.js", parley)) },
    bundle: true,
    splitting: true,
    minify: true,
    sourcemap: "linked",
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "error",
  })
  return new Map(outputFiles.map(({ path, contents }) => [folder + path.split(/[\\/]/).at(-1), contents]))
}
