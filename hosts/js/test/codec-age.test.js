// Age tokens: age-encryption, age's npm package, reads their files and makes them.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto"
import { test } from "node:test"

import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient, Stanza } from "age-encryption"

import { compileCodec, Context, createCodec, createGuard, newKey, Reason } from "../dist/codec-node.js"
import { contains, equal, ok, thrown } from "./assert.js"

const module = await compileCodec()
const secret = randomBytes(32)
const keys = `parley-key/1 22 ${secret.toString("base64url")}\n`
const encoder = new TextEncoder()

// What codec/agecodec says of its stanza, once more: the key, and what wraps the file's key under a context.
/** @param {Uint8Array} key @param {(string | Uint8Array)[]} data */
const hmac = (key, ...data) => data.reduce((mac, part) => mac.update(part), createHmac("sha256", key)).digest()
const prk = hmac(encoder.encode("parley-seal/1\x22"), secret)
const kid = hmac(prk, "kid\x01").subarray(0, 4)
/** @param {Uint8Array} salt @param {string} context */
const wrapping = (salt, context) => hmac(prk, "wrap", salt, createHash("sha256").update(context).digest(), "\x01")
const zero = new Uint8Array(12)
const base64 = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString("base64").replaceAll("=", "")

/** What opens files that were sealed under a context. @param {string} context */
function identity(context) {
  return {
    unwrapFileKey(/** @type {Stanza[]} */ stanzas) {
      equal(stanzas.map(({ args: [type, id] }) => [type, id]), [["parley-seal", base64(kid)]], "stanzas")
      const [{ args, body }] = /** @type {[Stanza]} */ (stanzas)
      const open = createDecipheriv("chacha20-poly1305", wrapping(Buffer.from(args[2] ?? "", "base64"), context), zero, { authTagLength: 16 })
      open.setAuthTag(body.subarray(16))
      return new Uint8Array(Buffer.concat([open.update(body.subarray(0, 16)), open.final()]))
    },
  }
}

/** What makes files for a context. @param {string} context */
function recipient(context) {
  return {
    wrapFileKey(/** @type {Uint8Array} */ fileKey) {
      const salt = randomBytes(16)
      const seal = createCipheriv("chacha20-poly1305", wrapping(salt, context), zero, { authTagLength: 16 })
      const body = Buffer.concat([seal.update(fileKey), seal.final(), seal.getAuthTag()])
      return [new Stanza(["parley-seal", base64(kid), base64(salt)], new Uint8Array(body))]
    },
  }
}

/** The age file in a token. @param {string} token */
function fileOf(token) {
  const bytes = Buffer.from(token, "base64url")
  equal([bytes[0], base64(bytes.subarray(1, 5))], [0x22, base64(kid)], "suite, key")
  return new Uint8Array(bytes.subarray(5))
}

/** The token of an age file. @param {Uint8Array} file */
const tokenOf = (file) => Buffer.concat([Uint8Array.of(0x22), kid, file]).toString("base64url")

/** @param {Uint8Array} file @param {string} context */
async function decrypt(file, context) {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity(context))
  return decrypter.decrypt(file, "text")
}

test("age reads the files of a codec's tokens", async () => {
  const codec = createCodec({ module, keys })
  for (const plaintext of ["", "a state", "x".repeat(10_000)]) {
    const file = fileOf(codec.seal(encoder.encode(plaintext), Context.guard))
    ok(new TextDecoder().decode(file).startsWith("age-encryption.org/v1\n"), "an age file")
    equal(await decrypt(file, Context.guard), plaintext, "plaintext")
    await thrown(() => decrypt(file, Context.sdk), "another context")
    file[file.length - 1] ^= 1
    await thrown(() => decrypt(file, Context.guard), "a changed file")
  }
})

test("a codec opens the files that age makes", async () => {
  const codec = createCodec({ module, keys })
  for (const plaintext of ["", "a state", "x".repeat(10_000)]) {
    const encrypter = new Encrypter()
    encrypter.addRecipient(recipient(Context.guard))
    const token = tokenOf(await encrypter.encrypt(plaintext))
    equal(new TextDecoder().decode(codec.open(token, Context.guard)), plaintext, "plaintext")
    equal((await thrown(() => codec.open(token, Context.sdk), "another context")).code, Reason.forged, "code")
  }
})

test("a file for a public key is refused: whoever knows it could have made it", async () => {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(await generateX25519Identity()))
  const token = tokenOf(await encrypter.encrypt("a state"))
  contains((await thrown(() => createCodec({ module, keys }).open(token, Context.guard), "a public key")).message, "a public key proves nothing")
})

test("a Guard's states are age files", async () => {
  const guard = createGuard({ module, keys, audience: "shop" })
  const { exchange } = await guard.inbound({ method: "tools/call", params: '{"name":"pay"}', principal: null })
  const { requestState } = JSON.parse(await guard.outbound(exchange, '{"resultType":"input_required","requestState":"a state"}'))
  contains(await decrypt(fileOf(requestState), Context.guard), "a state")
  const { params } = await guard.inbound({ method: "tools/call", params: JSON.stringify({ name: "pay", requestState }), principal: null })
  equal(JSON.parse(params).requestState, "a state", "state")
})

test("a Guard mints compact age tokens, and opens those of the default suite beside them", async () => {
  const [old, young] = [newKey(), newKey({ suite: "21" })]
  const before = createGuard({ module, keys: old, audience: "shop" })
  const guard = createGuard({ module, keys: Buffer.concat([young, old]), audience: "shop" })
  for (const [from, suite] of /** @type {const} */ ([[before, 0x11], [guard, 0x21]])) {
    const { exchange } = await from.inbound({ method: "tools/call", params: '{"name":"pay"}', principal: null })
    const { requestState } = JSON.parse(await from.outbound(exchange, '{"resultType":"input_required","requestState":"a state"}'))
    equal(Buffer.from(requestState, "base64url")[0], suite, "suite")
    const { params } = await guard.inbound({ method: "tools/call", params: JSON.stringify({ name: "pay", requestState }), principal: null })
    equal(JSON.parse(params).requestState, "a state", "state")
  }
})
