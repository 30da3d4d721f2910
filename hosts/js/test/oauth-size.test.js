// What signing in adds to a page.
import test from "node:test"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

import { equal, ok } from "./assert.js"

const dist = fileURLToPath(new URL("../dist", import.meta.url))

/** A script as bundlers make it. @param {string} contents @param {string[]} external what is loaded apart */
async function bundle(contents, external) {
  const { outputFiles, metafile } = await build({ external, stdin: { contents, resolveDir: dist }, bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", write: false, metafile: true, legalComments: "none" })
  const [output] = Object.values(metafile.outputs)
  return { size: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length, files: Object.keys(output?.inputs ?? {}) }
}

test("in a page signIn is at most 10 KB beside oauth4webapi, and nothing for a host that does not sign in", async () => {
  const page = await bundle('export { signIn } from "./oauth/web.js"', ["*/protocol.js", "*/redirect.js"])
  ok(page.size > 1000 && page.size <= 10 << 10, `bytes of signIn: ${page.size}`)
  const library = await bundle('export * from "./oauth/protocol.js"', [])
  ok(library.size > 1000 && library.size <= 8 << 10, `bytes of oauth4webapi: ${library.size}`)
  const oauth = (/** @type {{files: string[]}} */ { files }) => files.filter((name) => name.includes("oauth"))
  equal(oauth(await bundle('export { connect, fetchTransport } from "./index.js"\nimport { signIn } from "./oauth/web.js"', [])), [], "for a host that does not sign in")
  ok(oauth(page).length > 5, "files of a host that does")
})
