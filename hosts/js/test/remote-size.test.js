// What a page that may not run WebAssembly loads for the calls that its host's server drives.
import test from "node:test"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

import { equal, ok } from "./assert.js"

test("a page's half of remote is 9 KB, without an engine and without the server's half", async (t) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: 'export { connectRemote } from "./remote/index.js"', resolveDir: fileURLToPath(new URL("../dist", import.meta.url)) },
    bundle: true, minify: true, format: "esm", target: "es2022", write: false, metafile: true, legalComments: "none",
  })
  const size = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length
  const inputs = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  const names = inputs.map(([path]) => path.replace(/^.*dist\//, ""))
  t.diagnostic(`${size} bytes of ${names.length} files`)
  ok(size > 4 << 10 && size <= 9 << 10, `bytes: ${size}`)
  equal(names.filter((name) => /^(calls\/(session|driver|router)|engine\/(index|session|instance)|remote\/(host|visit|run))\.js$|wasm/.test(name)), [], "what it does without")
})
