// Which answers the official SDKs take, as the table in wasm/ABI.md says.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { test } from "node:test"

/** @type {Record<string, unknown[]>} */
const rows = {
  "text, number, true or false, a list of texts, an empty list": ["", 1, 1.5, true, ["a"], []],
  "`null`": [null],
  "a list of numbers, or of true and false": [[1], [1.5], [true]],
  "an object, or a list of lists": [{ a: 1 }, [["a"]]],
}
const require = createRequire(import.meta.url)
const core = createRequire(require.resolve("@modelcontextprotocol/client")) // which has the schemas
const sdks = { 1: require.resolve("@modelcontextprotocol/sdk/types.js"), 2: core.resolve("@modelcontextprotocol/core") }

const section = readFileSync(new URL("../../../wasm/ABI.md", import.meta.url), "utf8").split("### What servers take\n")[1]?.split("\n## ")[0] ?? ""
const [head = [], , ...body] = section.split("\n").filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))

for (const [major, file] of Object.entries(sdks)) {
  test(`TypeScript SDK ${major}`, async () => {
    const { ElicitResultSchema } = await import(file)
    const column = head.findIndex((name) => name.startsWith(`TypeScript SDK ${major}.`))
    const name = major === "1" ? "sdk" : "client"
    const { version } = JSON.parse(readFileSync(new URL(`../node_modules/@modelcontextprotocol/${name}/package.json`, import.meta.url), "utf8"))
    assert.equal(`TypeScript SDK ${version.split(".", 2).join(".")}`, head[column])
    assert.deepEqual(body.map(([row]) => row), Object.keys(rows))
    for (const cells of body) {
      for (const a of rows[cells[0] ?? ""] ?? []) {
        const { success } = ElicitResultSchema.safeParse({ action: "accept", content: { a } })
        assert.equal(success ? "taken" : "refused", cells[column], JSON.stringify(a))
      }
    }
  })
}
