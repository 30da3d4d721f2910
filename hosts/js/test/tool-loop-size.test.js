// What the tools of a chat add to a host that has the library.
import { readFileSync } from "node:fs"
import test from "node:test"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

import { equal, ok } from "./assert.js"

const dist = fileURLToPath(new URL("../dist/tools", import.meta.url))

/** A file as bundlers make it, without what is beside it. @param {string} name @param {string[]} [into] what goes into it */
async function bundle(name, into = []) {
  /** @type {string[]} */
  const imported = []
  /** @type {import("esbuild").Plugin} */
  const beside = {
    name: "beside",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === "entry-point" || into.includes(path)) return undefined
        imported.push(path)
        return { path, external: true }
      }),
  }
  const { outputFiles } = await build({ entryPoints: [`${dist}/${name}`], plugins: [beside], bundle: true, minify: true, format: "esm", target: "es2022", write: false, legalComments: "none" })
  return { size: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length, imported }
}

test("an adapter is at most 150 lines and 3 KB, what they share is another 3 KB, and no SDK is imported", async (t) => {
  const shared = ["./loop.js", "./sampling.js"]
  for (const name of ["ai-sdk.js", "langchain.js", "openai-agents.js"]) {
    const lines = readFileSync(`${dist}/${name}`, "utf8").trimEnd().split("\n").length
    const [alone, whole] = [await bundle(name), await bundle(name, shared)]
    t.diagnostic(`${name}: ${lines} lines, ${alone.size} bytes, ${whole.size} with what is shared`)
    ok(lines <= 150, `lines of ${name}: ${lines}`)
    ok(alone.size > 500 && alone.size <= 3 << 10, `bytes of ${name}: ${alone.size}`)
    ok(whole.size - alone.size <= 3 << 10, `bytes of what is shared: ${whole.size - alone.size}`)
    equal(whole.imported.filter((path) => !/^\.\.?\//.test(path)), [], "packages that are imported")
  }
})
