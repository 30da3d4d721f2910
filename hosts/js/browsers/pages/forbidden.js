// Where the page's policy forbids WebAssembly, every way to it says what to add.
import { compileCodec, createGuard, newKey } from "../../dist/codec-web.js"
import { load } from "../../dist/browser.js"
import { load as loadInline } from "../../dist/inline.js"
import { contains, ok, thrown } from "../../test/assert.js"
import { runTests, test } from "./tests.js"

const bytes = await (await fetch("/wasm/parley.wasm")).arrayBuffer()
const codec = await (await fetch("/wasm/parley-codec.wasm")).arrayBuffer()

const guard = (/** @type {WebAssembly.Module | ArrayBuffer} */ module) => createGuard({ module, keys: newKey(), processLocal: true })

/** @type {Record<string, () => unknown>} */
const ways = {
  "from beside the package": () => load(),
  "from bytes": () => load({ source: bytes }),
  "from a response without a type": () => load({ source: new Response(bytes) }),
  "from a response with a type": () => load({ source: new Response(bytes, { headers: { "Content-Type": "application/wasm" } }) }),
  "from within the package": () => loadInline(),
  "the codec from beside the package": async () => guard(await compileCodec()),
  "the codec from bytes": () => guard(codec),
}

for (const [name, way] of Object.entries(ways)) {
  test(`without 'wasm-unsafe-eval': ${name}`, async () => {
    const error = await thrown(way, "loading")
    contains(error.message, /^parley: .*'wasm-unsafe-eval'.*@parley-mcp\/parley\/remote/)
    ok(error.cause instanceof Error, "what the browser said, as the cause")
  })
}
await runTests()
