// How often a page asks for a file, and what it loads to sign in, and others do not.

import assert from "node:assert/strict"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { done } from "./scripted-server.js"
import { scene, test } from "./setting.js"

const { build } = createRequire(new URL("../../../hosts/js/package.json", import.meta.url))("esbuild")

/** The files that a page has loaded, without those that tests load. @param {import("./person.js").Person} person @returns {Promise<{path: string, size: number}[]>} */
function loaded(person) {
  return person.tab.evaluate(
    () =>
      performance.getEntriesByType("resource").flatMap((entry) => {
        const { pathname: path, origin } = new URL(entry.name)
        return origin === location.origin ? [{ path, size: /** @type {PerformanceResourceTiming} */ (entry).decodedBodySize }] : []
      }),
    undefined,
  )
}

/** What a bundler makes of the page's part of the library, beside what every page has loaded, compressed. */
async function weight() {
  const external = ["*/protocol.js", "*/redirect.js"] // oauth4webapi, and what only a blocked window needs
  const beside = {
    name: "beside",
    setup: (/** @type {any} */ { onResolve }) => onResolve({ filter: /^\.\.\// }, (/** @type {{path: string}} */ { path }) => ({ path: path.replace(/.*\//, "./"), external: true })),
  }
  const options = { entryPoints: [fileURLToPath(new URL("../src/oauth.js", import.meta.url))], alias: { "@parley-mcp/parley/oauth": fileURLToPath(new URL("../../../hosts/js/dist/oauth/web.js", import.meta.url)) } }
  const { outputFiles } = await build({ ...options, external, plugins: [beside], bundle: true, minify: true, format: "esm", target: "es2022", write: false, legalComments: "none" })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length
}

test("what it takes to sign in is loaded when somebody does, and weighs 10 KB beside oauth4webapi", async (t) => {
  let wanted = false
  const { person } = await scene.withProtected({ answer: () => done("Done."), guards: (may, { method }) => (wanted && !may && method === "tools/call" ? { status: 401, challenge: "Bearer" } : undefined) })
  const sum = (/** @type {{size: number}[]} */ files) => files.reduce((all, { size }) => all + size, 0)
  await person.calls("x")
  await person.sees("Done.")
  const before = await loaded(person)
  const scripts = before.filter(({ path }) => path.endsWith(".js"))
  assert.ok(scripts.length > 1 && scripts.length <= 6, `scripts: ${scripts.length}`)
  assert.deepEqual(before.filter((file) => !scripts.includes(file)).map(({ path }) => path).sort(), ["/built/page.css", "/built/parley.wasm", "/logo.svg", "/servers.json"])
  assert.deepEqual(scripts.filter(({ path }) => /oauth|protocol|redirect|german|embedded/.test(path)), [])
  wanted = true
  await person.calls("x")
  const window = await person.opens("Sign in")
  await window.press("Allow")
  await person.sees("You signed in")
  const more = (await loaded(person)).filter(({ path }) => !before.some((one) => one.path === path))
  assert.deepEqual(more.filter(({ path }) => !/\/(oauth|protocol|chunk)-/.test(path)), [], "what is more is for signing in")
  assert.deepEqual([/\/protocol-/, /\/redirect-/].map((name) => more.some(({ path }) => name.test(path))), [true, false], "no page went anywhere")
  const bytes = await weight()
  assert.ok(bytes > 1000 && bytes <= 10 << 10, `bytes: ${bytes}`)
  t.diagnostic(`a page loads ${sum(before)} bytes of source, and ${sum(more)} more to sign in; bundled and compressed that is ${bytes} beside oauth4webapi`)
})
