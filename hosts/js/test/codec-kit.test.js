// The kit that checks codecs of one's own: it passes the codecs of the package and finds what is wrong with others.
import { createHmac, timingSafeEqual } from "node:crypto"
import { test } from "node:test"

import { compileCodec, createCodec, newKey } from "../dist/codec-node.js"
import { codecDefects, testCodec } from "../dist/codec/kit/index.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { aesCodec } from "./own-codec.js"

/** @import { OwnCodec } from "../dist/codec/index.js" */

const module = await compileCodec()
const good = createCodec({ module, keys: newKey() })
const others = createCodec({ module, keys: newKey() })
const encoder = new TextEncoder()
const decoder = new TextDecoder()

// The default codec passes it in codec-suite.js, in pages too.
testCodec((name, run) => void test(`AES-GCM of WebCrypto: ${name}`, run), async () => ({ codec: await aesCodec(), other: await aesCodec() }))
for (const suite of /** @type {const} */ (["21", "22"])) {
  testCodec((name, run) => void test(`age tokens of suite ${suite}: ${name}`, run), () => ({ codec: createCodec({ module, keys: newKey({ suite }) }), other: createCodec({ module, keys: newKey({ suite }) }) }))
}

/**
 * A codec that anybody can read: the plaintext in base64 and a MAC.
 *
 * @param {string} between @returns {OwnCodec}
 */
function signer(between) {
  const mac = (/** @type {Uint8Array} */ plaintext, /** @type {Uint8Array} */ context) =>
    createHmac("sha256", "key").update(`${context.length}`).update(context).update(plaintext).digest("base64url")
  return {
    seal(plaintext, context) {
      const token = `v1${between}${Buffer.from(plaintext).toString("base64url")}${between}${mac(plaintext, context)}`
      if (token.length > 16_384) throw new Error("too large")
      return token
    },
    open(token, context) {
      const body = token.slice(2 + between.length)
      const at = body.length - 43 - between.length
      const plaintext = Buffer.from(body.slice(0, Math.max(at, 0)), "base64url")
      const whole = `v1${between}${plaintext.toString("base64url")}${between}${mac(plaintext, context)}`
      if (token.length > 16_384 || at < 0 || token.length !== whole.length || !timingSafeEqual(encoder.encode(token.padEnd(9)), encoder.encode(whole.padEnd(9)))) throw new Error("forged")
      return new Uint8Array(plaintext)
    },
  }
}

/** Those that the kit for Go is held to, under their names there, and what is found of each. @type {Record<string, [codec: OwnCodec, found: string]>} */
const defects = {
  readable: [{ seal: (plaintext) => `x${decoder.decode(plaintext)}`, open: (token) => encoder.encode(token.replace(/^x/, "")) }, "confidential: the token shows"],
  "only signs": [signer("."), "confidential: the token shows"],
  "only signs, one": [signer(""), "confidential: the token shows"],
  "ignores context": [{ seal: (plaintext) => good.seal(plaintext, ""), open: (token) => good.open(token, "") }, 'context: context "": opened'],
  "two spellings": [{ seal: (plaintext, context) => good.seal(plaintext, context), open: (token, context) => good.open(token.trim(), context) }, 'one spelling: "\\n" put in at 0: opened'],
  "leaks on error": [
    {
      seal: (plaintext, context) => good.seal(plaintext, context),
      open(token, context) {
        try {
          return good.open(token, context)
        } catch (error) {
          throw Object.assign(error instanceof Error ? error : new Error(), { plaintext: encoder.encode("unverified") })
        }
      },
    },
    "truncation: cut to 0 characters: the error has bytes, which were not verified",
  ],
}

/** Those that only a codec in JavaScript can have. @type {typeof defects} */
const more = {
  "nothing for a forged token": [wrapped({ open: (open) => async (token, context) => {
    try {
      return await open(token, context)
    } catch {
      return /** @type {any} */ (undefined)
    }
  } }), "truncation: cut to 0 characters: opened as undefined"],
  "the plaintext in an error's cause": [wrapped({ open: (open) => async (token, context) => {
    try {
      return await open(token, context)
    } catch (error) {
      throw new Error("it is forged", { cause: new Error("it said: some state", { cause: error }) })
    }
  } }), "truncation: cut to 0 characters: the error has the plaintext"],
  "one byte of each character": [wrapped({ open: (open) => (token, context) => open(Buffer.from(token, "latin1").toString("latin1"), context) }), "every character counts: bit 0x100 of character 0 flipped: opened"],
  "a byte order mark skipped": [wrapped({ open: (open) => (token, context) => open(decoder.decode(encoder.encode(token)), context) }), '"\ufeff" put in at 0: opened'],
  "both alphabets of base64": [wrapped({ open: (open) => (token, context) => open(token.replaceAll("+", "-").replaceAll("/", "_"), context) }), "base64 of the other alphabet: opened"],
  "a string for a plaintext": [wrapped({ open: (open) => async (token, context) => /** @type {any} */ (decoder.decode(await open(token, context))) }), "round trip: open gave no Uint8Array"],
  "no text for a token": [wrapped({ seal: () => () => /** @type {any} */ (encoder.encode("token")) }), "round trip: seal of 0 bytes gave no text"],
  "an argument that is changed": [wrapped({ seal: (seal) => async (plaintext, context) => {
    const token = await seal(plaintext, context)
    plaintext.fill(0)
    return token
  } }), "arguments stay the caller's: an argument was changed"],
  "one state for all calls": [mixed(), "concurrent: got"],
  "no key": [good, "key: another key: opened"],
  "no cap": [createCodec({ module, keys: newKey(), maxToken: 262_144 }), "size cap: seal of 16384 bytes gave a token"],
}

for (const [name, [codec, want]] of Object.entries({ ...defects, ...more })) {
  test(`the kit finds a codec that is wrong: ${name}`, async () => {
    const found = await codecDefects({ codec, other: name === "no key" ? codec : others })
    ok(found.some((line) => line.includes(want)), `${JSON.stringify(want)} is in what was found: ${found.join("\n")}`)
    if (name.startsWith("only signs")) equal(found.filter((line) => !line.startsWith("confidential: ")), [], "that it can be read, and nothing else")
    const failed = []
    /** @type {[string, () => Promise<void>][]} */
    const tests = []
    testCodec((name, run) => void tests.push([name, run]), () => ({ codec, other: name === "no key" ? codec : others }))
    for (const [check, run] of tests) {
      if (!found.some((line) => line.startsWith(`${check}: `))) await run()
      else failed.push((await thrown(run, check)).message)
    }
    contains(failed.join("\n"), want)
  })
}

test("the kit finds nothing in a codec that is right", async () => {
  equal(await codecDefects({ codec: good, other: others }), [], "defects")
  equal(await codecDefects({ codec: wrapped({}), other: others, maxToken: 16_384 }), [], "defects")
})

/** A right codec with a part of it replaced. @param {{seal?: (seal: OwnCodec["seal"]) => OwnCodec["seal"], open?: (open: OwnCodec["open"]) => OwnCodec["open"]}} parts @returns {OwnCodec} */
function wrapped({ seal = (seal) => seal, open = (open) => open }) {
  return { seal: seal((plaintext, context) => good.seal(plaintext, context)), open: open((token, context) => good.open(token, context)) }
}

/** A codec that keeps what it works on where every call finds it. @returns {OwnCodec} */
function mixed() {
  let last = new Uint8Array()
  return {
    async seal(plaintext, context) {
      last = plaintext.slice()
      await undefined
      return good.seal(last, context)
    },
    open: (token, context) => good.open(token, context),
  }
}
