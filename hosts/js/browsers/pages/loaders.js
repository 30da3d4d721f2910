import { compileCodec, createGuard, newKey } from "../../dist/codec-web.js"
import { Engine, load } from "../../dist/browser.js"
import { load as loadInline } from "../../dist/inline.js"
import { contains, equal, ok, thrown } from "../../test/assert.js"

/** @import { Env } from "../../test/suite.js" */

const wasm = new URL("../../dist/parley.wasm", import.meta.url)

/** The ways to an engine that only a browser has. @param {Pick<Env, "test" | "module">} env */
export default function loaders({ test, module }) {
  test("the engine loads from beside the package, from a URL, and from within the package", async () => {
    const ways = {
      beside: () => load(),
      URL: () => load({ source: wasm }),
      text: () => load({ source: String(wasm) }),
      "relative text": () => load({ source: "../../dist/parley.wasm" }),
      inline: () => loadInline(),
    }
    for (const [name, way] of Object.entries(ways)) {
      const engine = await way()
      ok(engine instanceof Engine, name)
      equal(engine.form('{"type":"object","properties":{}}').fields, [], name)
    }
  })

  test("a module that came from elsewhere by a message is taken", async () => {
    const { port1, port2 } = new MessageChannel()
    const received = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)))
    port1.postMessage(await module())
    equal((await load({ source: /** @type {Promise<WebAssembly.Module>} */ (received) })).live, 0, "live")
    port1.close()
  })

  test("an engine that is not there is named", async () => {
    contains((await thrown(() => load({ source: "/nothing.wasm" }), "404")).message, /^parley: http:.*nothing\.wasm answered with HTTP status 404/)
  })

  test("the codec loads from beside the package, with age tokens", async () => {
    const guard = createGuard({ module: await compileCodec(), keys: newKey({ suite: "22" }), processLocal: true })
    const { exchange } = await guard.inbound({ method: "tools/call", params: '{"name":"t"}', principal: null })
    contains(await guard.outbound(exchange, '{"resultType":"input_required","requestState":"s"}'), '"requestState":"I')
    guard.close()
  })

  test("no isolation of the page's origin is needed", () => {
    equal([globalThis.crossOriginIsolated, typeof SharedArrayBuffer], [false, "undefined"])
  })
}
