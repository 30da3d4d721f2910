import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { test } from "node:test"
import { fromHex, toHex, utf8 } from "../bytes.mjs"
import { generate } from "../generate.mjs"
import { deriveKey, keyRing } from "../key.mjs"
import { open } from "../open.mjs"
import { sealRaw } from "../seal.mjs"
import { encodeToken } from "../token.mjs"

// The known-answer test of the codec's definition.
const known = {
  secret: Uint8Array.from({ length: 32 }, (_, i) => i),
  context: utf8("parley-guard/1"),
  plaintext: utf8("hello"),
  kid: "cb728bba",
  token: "Ectyi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04",
}

test("known answer", () => {
  const key = deriveKey(known.secret)
  assert.equal(toHex(key.kid), known.kid)
  assert.equal(encodeToken(sealRaw(key, known.context, known.plaintext)), known.token)
  assert.deepEqual(open(keyRing([known.secret]), known.context, known.token), known.plaintext)
})

test("a token is four characters for every three bytes, and 60 more", () => {
  const key = deriveKey(known.secret)
  for (const [size, characters] of [[0, 60], [1, 62], [32, 103], [100, 194], [1000, 1394], [12243, 16384]]) {
    assert.equal(encodeToken(sealRaw(key, known.context, new Uint8Array(size))).length, characters)
  }
  assert.throws(() => encodeToken(sealRaw(key, known.context, new Uint8Array(12244))), RangeError)
})

test("generated tokens are accepted and refused as they should be", () => {
  const counts = { accepted: 0, refused: 0 }
  for (const { name, secrets, context, token, plaintext } of generate("suite", 12)) {
    const opened = open(keyRing(secrets.map(fromHex)), fromHex(context), token)
    assert.equal(opened && toHex(opened), plaintext ?? null, name)
    counts[plaintext === undefined ? "refused" : "accepted"]++
    if (plaintext === undefined) continue
    // The nonce is synthetic: who seals the same again gets the same token.
    const again = secrets.map((secret) => encodeToken(sealRaw(deriveKey(fromHex(secret)), fromHex(context), fromHex(plaintext))))
    assert.ok(again.includes(token))
  }
  assert.equal(counts.accepted, 12)
  assert.ok(counts.refused > 2000, `only ${counts.refused} negatives`)
})

test("a larger cap admits a longer token, a smaller one refuses it", () => {
  const ring = keyRing([known.secret])
  const token = encodeToken(sealRaw(deriveKey(known.secret), known.context, new Uint8Array(20000)), 262144)
  assert.equal(open(ring, known.context, token), null)
  assert.equal(open(ring, known.context, token, 262144)?.length, 20000)
  assert.equal(open(ring, known.context, known.token, known.token.length - 1), null)
})

test("secrets that are too short, too long or listed twice make no ring", () => {
  for (const secrets of [[new Uint8Array(31)], [new Uint8Array(65)], [known.secret, known.secret]]) {
    assert.throws(() => keyRing(secrets), RangeError)
  }
})

test("base64url is that of Node", () => {
  for (let size = 0; size < 100; size++) {
    const raw = Uint8Array.from({ length: size }, (_, i) => i * 37 + size)
    assert.equal(encodeToken(raw), Buffer.from(raw).toString("base64url"))
  }
})

/** @param {string} file @param {...object} requests */
function command(file, ...requests) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { input: requests.map((r) => JSON.stringify(r)).join("\n"), encoding: "utf8" })
  return { status, stderr, answers: stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)) }
}

test("seal.mjs and open.mjs answer line by line", () => {
  const secret = toHex(known.secret)
  const context = toHex(known.context)
  const sealed = command("seal.mjs", { secret, context, plaintext: toHex(known.plaintext) }, { secret, context, plaintext: "00".repeat(12244) })
  assert.deepEqual(sealed.answers, [{ token: known.token }, { error: true }])
  const opened = command("open.mjs",
    { secrets: [secret], context, token: known.token },
    { secrets: [secret], context, token: known.token + "\n" },
    { secrets: [secret], context: "", token: known.token })
  assert.deepEqual(opened.answers, [{ plaintext: toHex(known.plaintext) }, { error: true }, { error: true }])
  assert.equal(opened.status, 0)
})

test("a request that makes no sense is no refusal", () => {
  const wrong = command("open.mjs", { secrets: [toHex(known.secret).slice(1)], context: "", token: known.token })
  assert.deepEqual([wrong.status, wrong.answers], [1, []])
  assert.equal(wrong.stderr, "line 1: unusable request: not hex of whole bytes\n")
})
