import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"

import { expand, variables } from "../template.js"

// apps/shared-go/request plays the same file.
const rows = JSON.parse(readFileSync(new URL("../../shared-go/request/testdata/expansions.json", import.meta.url), "utf8"))

for (const { template, variables: wanted, values = {}, expanded = "" } of rows) {
  test(template, () => {
    assert.equal(variables(template).map(({ name, required }) => (required ? name : `${name}?`)).join(" "), wanted ?? "")
    assert.equal(expand(template, new Map(Object.entries(values))), expanded)
  })
}

test("a template that is too long to look at", () => {
  assert.deepEqual(variables(`a://{x}${"y".repeat(8 << 10)}`), [])
})
