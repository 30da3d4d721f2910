// Runs the codec's tests in Node, and those of what only Node has.
import assert from "node:assert/strict"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"

import { createGuard, readKeyFile } from "../dist/codec-node.js"
import { codecSuite } from "./codec-suite.js"

const root = new URL("../../../", import.meta.url)
const vectors = new URL("codec/testdata/vectors/", root)
/** @param {string} name */
const wasm = async (name) => new Uint8Array(await readFile(new URL(`wasm/${name}`, root)))

codecSuite({
  test: (name, run) => void test(name, async () => void (await run())),
  codecWasm: () => wasm("parley-codec.wasm"),
  engineWasm: () => wasm("parley.wasm"),
  vectors: readdirSync(vectors)
    .filter((name) => name.endsWith(".txt"))
    .map((name) => ({ name, text: readFileSync(new URL(name, vectors), "utf8") })),
})

test("a key file is read if it is its owner's alone", { skip: process.platform === "win32" }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const name = join(folder, "keys")
  const text = "# ours\nparley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
  writeFileSync(name, text, { mode: 0o600 })
  const keys = await readKeyFile(name)
  assert.equal(new TextDecoder().decode(keys), text)
  createGuard({ module: await wasm("parley-codec.wasm"), keys, processLocal: true })

  chmodSync(name, 0o640)
  await assert.rejects(readKeyFile(name), /can be used by others \(mode 0640\): run {2}chmod 600/)
  writeFileSync(name, "#".repeat(65537))
  chmodSync(name, 0o600)
  await assert.rejects(readKeyFile(name), /more than 65536 bytes/)
})
