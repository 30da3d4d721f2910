// What the package's README shows, as it stands there.
import assert from "node:assert/strict"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import test from "node:test"

import { startGoServer } from "../../hosts/js/test/go-server.js"
import { bundle, reacts } from "./bundle.js"
import { complaints, launch, serve } from "./chromium.js"

const readme = readFileSync(new URL("../../hosts/js/README.md", import.meta.url), "utf8")
const [shown, ...others] = [...readme.matchAll(/^```jsx\n(.*?)^```$/gms)].map(([, code = ""]) => code)
assert.ok(shown && !others.length, "one snippet of JSX")

/** @type {Record<string, string>} */
const scripts = {}
const [browser, site] = [await launch(), await serve(scripts)]
const mcp = await startGoServer(["-origin", site.origin])
test.after(async () => {
  site.close()
  await mcp.stop()
  await browser.close()
})

for (const [version, folder] of reacts) {
  test(`React ${version}: the README's page asks and answers`, async (t) => {
    const file = `readme-${version}.jsx`
    t.after(() => rmSync(new URL(file, import.meta.url)))
    writeFileSync(new URL(file, import.meta.url), shown.replace("http://127.0.0.1:8080/mcp", mcp.url))
    scripts[`/${version}.js`] = await bundle(folder, file, "browser")
    const page = await browser.newPage()
    const said = complaints(page)
    await page.goto(`${site.origin}/?script=/${version}.js`)
    await page.getByRole("button", { name: "Oslo" }).click()
    await page.getByLabel("Units").selectOption({ index: 1 })
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("18 °C").waitFor()
    assert.deepEqual(said, [])
  })
}
