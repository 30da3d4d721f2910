import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import test from "node:test"

import { bundle, reacts } from "./bundle.js"

for (const [version, folder] of reacts) {
  test(`React ${version} renders on a server, where there is no page`, async () => {
    const program = await bundle(folder, "on-a-server.jsx", "node")
    const rendered = JSON.parse(execFileSync(process.execPath, ["-"], { input: program, encoding: "utf8" }))
    assert.equal(rendered.version.split(".")[0], version)
    assert.equal(rendered.page, "undefined")
    assert.equal(rendered.chat, "<p>0 calls, 0 questions</p>", "what a page begins with, too")
    const id = /<input id="([^"]+)"/.exec(rendered.form)?.[1] ?? ""
    for (const part of [`<label id="${id}-label" for="${id}" dir="auto">Name</label>`, `aria-describedby="${id}-about ${id}-problem"`, `<p id="${id}-about" dir="auto">In full</p>`, 'value="Ann"', 'required=""', "noValidate"])
      assert.ok(rendered.form.toLowerCase().includes(part.toLowerCase()), `${part} in ${rendered.form}`)
    assert.match(rendered.without, /need a CallsProvider/)
  })
}
