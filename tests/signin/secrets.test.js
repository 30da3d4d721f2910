// The search for secrets finds them: otherwise it would prove nothing elsewhere.

import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"

import { assertNoSecrets, processArguments } from "./secrets.js"

const secret = "not/a_secret+of-anybody~0123456789"
const spelled = {
  plain: `a ${secret} b`,
  "percent-encoded": `?code=${encodeURIComponent(secret)}&x`,
  base64: Buffer.from(`id:${secret}:and more`).toString("base64"),
  "base64 at another offset": Buffer.from(`${secret}:and more`).toString("base64"),
  base64url: Buffer.from(`x:${secret}:and more`).toString("base64url"),
  hexadecimal: Buffer.from(secret).toString("hex"),
}

for (const [name, text] of Object.entries(spelled)) {
  test(`a secret is found in a text: ${name}`, () => {
    assert.throws(() => assertNoSecrets([secret], { texts: { log: text } }), (/** @type {Error} */ error) => /secret 1 .* is in log/.test(error.message) && !error.message.includes(secret))
  })
}

test("a secret is found in a file of a folder, and in a file's name", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "signin-"))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, "deep"))
  writeFileSync(join(folder, "deep", "bytes"), Buffer.concat([Buffer.from([0, 255, 7]), Buffer.from(secret), Buffer.from([200])]))
  assert.throws(() => assertNoSecrets(["another one, which is not there", secret], { folders: [folder] }), /secret 2 .*bytes/)
  const other = secret.replace("/", "-")
  writeFileSync(join(folder, other), "")
  assert.throws(() => assertNoSecrets([other], { folders: [folder] }), /a file's name/)
})

test("where there is none, it says how much it has searched", () => {
  assert.deepEqual(assertNoSecrets([secret], { texts: { log: "nothing", error: "" } }), { secrets: 1, places: 2 })
})

test("process arguments are those of children", () => {
  assert.equal(Object.values(processArguments()).some((words) => words.includes("secrets.test.js")), true)
})
