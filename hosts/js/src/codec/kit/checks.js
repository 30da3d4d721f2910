import { Context } from "../context.js"
import { bytes } from "./report.js"
import { longestShared, readable, texts } from "./texts.js"

/** @import { Report } from "./report.js" */

/** What is checked of a codec, by name. @type {Record<string, (report: Report) => Promise<void>>} */
export const checks = {
  async "round trip"(r) {
    for (const n of [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000]) {
      const plaintext = new Uint8Array(n).fill(0xa5)
      const opened = await r.open(await r.seal(plaintext))
      if (opened.length !== n || opened.some((byte) => byte !== 0xa5)) r.add(`${n} bytes: got ${opened.length} bytes, or other ones`)
    }
    for (let n = 0; n < 256; n += 16) {
      const plaintext = Uint8Array.from({ length: 16 }, (_, i) => n + i)
      const opened = await r.open(await r.seal(plaintext))
      if (opened.join() !== plaintext.join()) r.add(`bytes ${plaintext}: got ${opened}`)
    }
  },

  async "arguments stay the caller's"(r) {
    const text = "plaintext of the caller"
    const plaintext = bytes(text)
    const context = bytes("context of the caller")
    const token = await r.codec.seal(plaintext, context)
    const opened = await r.codec.open(token, context)
    if (read(plaintext) !== text || read(context) !== "context of the caller") r.add("an argument was changed")
    plaintext.fill(0)
    opened.fill(0)
    if (read(await r.codec.open(token, context)) !== text) r.add("opening twice gives something else")
    context.fill(0)
    if (read(await r.codec.open(token, bytes("context of the caller"))) !== text) r.add("an argument was kept")
  },

  async confidential(r) {
    const secret = bytes("the person's answer, 0123456789")
    const token = await r.seal(secret)
    for (const form of readable(secret)) {
      for (const text of texts(token)) {
        const n = longestShared(text, form)
        if (n >= 8) r.add(`the token shows ${n} bytes of its plaintext`)
      }
    }
    // A form may begin alike; a nonce that repeats shows in what follows.
    let [a, b] = [await r.seal(bytes("1: the rest of these two plaintexts is one")), await r.seal(bytes("2: the rest of these two plaintexts is one"))]
    while (a !== "" && a[0] === b[0]) [a, b] = [a.slice(1), b.slice(1)]
    const n = longestShared(a, b)
    if (n > 12) r.add(`two plaintexts give tokens that share ${n} characters`)
  },

  async "every character counts"(r) {
    const token = await r.seal(bytes("some state"))
    for (let i = 0; i < token.length; i++) {
      for (let bit = 1; bit <= 0x8000; bit *= 2) { // beyond a byte, too: who reads one byte of a character takes two for one
        const changed = token.slice(0, i) + String.fromCharCode(token.charCodeAt(i) ^ bit) + token.slice(i + 1)
        await r.refuse(`bit 0x${bit.toString(16)} of character ${i} flipped`, changed)
      }
    }
  },

  async truncation(r) {
    const token = await r.seal(bytes("some state"))
    for (let n = 0; n < token.length; n++) {
      await r.refuse(`cut to ${n} characters`, token.slice(0, n))
      await r.refuse(`only the last ${n} characters`, token.slice(token.length - n))
    }
  },

  async "one spelling"(r) {
    for (const plaintext of ["", "a", "ab", "abc"]) {
      const token = await r.seal(bytes(plaintext))
      const how = { secret: "no text is secret here" }
      for (const extra of ["=", "==", "\n", "\r", " ", "\t", "\0", "\ufeff", "A", "+", "/", "é", ".", token]) {
        for (const at of [0, token.length >> 1, token.length]) {
          await r.refuse(`${JSON.stringify(extra).slice(0, 10)} put in at ${at}`, token.slice(0, at) + extra + token.slice(at), how)
        }
      }
      const others = {
        "upper case": token.toUpperCase(),
        "lower case": token.toLowerCase(),
        "base64 of the other alphabet": token.replace(/[-_+/]/g, (character) => "+/-_"["-_+/".indexOf(character)] ?? ""),
      }
      for (const [what, text] of Object.entries(others)) if (text !== token) await r.refuse(what, text, how)
      for (let last = 0; last < 256; last++) {
        const changed = token.slice(0, -1) + String.fromCharCode(last)
        if (changed !== token) await r.refuse(`last character 0x${last.toString(16)}`, changed, how)
      }
    }
  },

  async context(r) {
    const token = await r.seal(bytes("some state"))
    for (const context of ["", "parley-guard/", "parley-guard/1 ", "parley-guard/2", Context.sdk]) {
      await r.refuse(`context ${JSON.stringify(context)}`, token, { context })
    }
    const moved = await r.seal(bytes("/1some state"), "parley-guard")
    await r.refuse("bytes moved between context and plaintext", moved)
  },

  async key(r) {
    await r.refuse("another key", await r.seal(bytes("some state")), { codec: r.other })
  },

  async "size cap"(r) {
    let token
    try {
      token = await r.codec.seal(new Uint8Array(r.maxToken), bytes(Context.guard))
    } catch {}
    if (token !== undefined) r.add(`seal of ${r.maxToken} bytes gave a token`)
    await r.refuse(`open of ${r.maxToken + 1} characters`, "A".repeat(r.maxToken + 1))
  },

  async concurrent(r) {
    await Promise.all(Array.from({ length: 8 }, async (_, worker) => {
      for (let i = 0; i < 50; i++) {
        const want = `state ${i} of worker ${worker}`
        const got = read(await r.open(await r.seal(bytes(want))))
        if (got !== want) r.add(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)
      }
    }))
  },
}

/** @param {Uint8Array} bytes */
const read = (bytes) => new TextDecoder().decode(bytes)
