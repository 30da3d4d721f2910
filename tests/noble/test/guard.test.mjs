import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { test } from "node:test"
import { bindingTag, differences, digests, pin, readClaims, replay } from "../guard.mjs"
import { toHex, utf8 } from "../bytes.mjs"

const sha256 = (/** @type {string} */ latin1) => createHash("sha256").update(latin1, "latin1").digest("hex")

const rand = "0102030405060708"
const binding = { audience: "https://a.example", method: "tools/call", target: "pay", arguments: utf8('{"n":12.50}'), principal: "" }
const ask = utf8('{"params":{"message":"Sure?","_meta":{"progressToken":1}},"method":"elicitation/create"}')

// Written out from the definition, not with the code under test.
const T = sha256("T" + "\0\0\0\x11https://a.example" + "\0\0\0\x0atools/call" + "\0\0\0\x03pay")
const A = sha256('A{"n":125e-1}')
const P = sha256("P\x01\0\0\0\0")
const tag = sha256("parley-guard/1 bind" + Buffer.from(rand + T + A + P, "hex").toString("latin1")).slice(0, 32)
const K8 = sha256("Kok").slice(0, 16)
const Q16 = sha256('Q\0\0\0\x02ok{"method":"elicitation/create","params":{"message":"Sure?"}}').slice(0, 32)
const hints = T.slice(0, 4) + A.slice(0, 4) + P.slice(0, 4)
const state = toHex(utf8("s1"))
const head = (/** @type {string} */ flags) => `${flags}02` + "6a6d2d80" + "000a" + rand + tag + hints
const whole = head("31") + "6a6d2c00" + "01" + K8 + Q16 + state

const bytes = (/** @type {string} */ hex) => Uint8Array.from(Buffer.from(hex, "hex"))

test("reads every field", () => {
  const { pins, ...c } = readClaims(bytes(whole)) ?? assert.fail("malformed")
  assert.deepEqual({ ...c, rand: toHex(c.rand), tag: toHex(c.tag), hints: toHex(c.hints), state: toHex(c.state) },
    { rounds: 2, iat: 0x6a6d2d80, ttl: 10, flowStart: 0x6a6d2c00, first: false, noState: false, rand, tag, hints, state })
  assert.deepEqual(pins?.map((p) => [toHex(p.key), toHex(p.question)]), [[K8, Q16]])
})

test("reads the shortest one", () => {
  const c = readClaims(bytes(head("41"))) ?? assert.fail("malformed")
  assert.deepEqual([c.first, c.flowStart, c.pins, c.noState, c.state.length], [true, c.iat, null, true, 0])
})

test("malformed plaintexts", () => {
  const malformed = {
    "empty": "", "too short": head("01").slice(2), "reserved flag": head("81"), "format 0": head("00"), "format 2": head("02"),
    "ttl 0": head("01").replace("000a", "0000"), "ttl over 30 days": head("01").replace("000a", "a8c1"),
    "flow start cut": head("11") + "000000", "no pin count": head("21"), "pin cut": head("21") + "01" + K8, "65 pins": head("21") + "41" + "00".repeat(24 * 65),
  }
  for (const [name, hex] of Object.entries(malformed)) assert.equal(readClaims(bytes(hex)), null, name)
  assert.equal(readClaims(bytes(head("21") + "40" + "00".repeat(24 * 64)))?.pins?.length, 64)
  assert.equal(readClaims(bytes(head("01").replace("000a", "a8c0")))?.ttl, 43200)
})

test("recomputes what is bound, and names what differs", () => {
  const c = readClaims(bytes(whole)) ?? assert.fail("malformed")
  const changes = {
    "": {},
    "arguments in another spelling": { arguments: utf8(' {"\\u006e":125E-1}') },
    "target,tag": { target: "refund" }, "target,tag ": { audience: "https://b.example" }, "target,tag  ": { method: "prompts/get" },
    "arguments,tag": { arguments: utf8('{"n":12.5000000000000000000001}') },
    "principal,tag": { principal: null }, "principal,tag ": { principal: "mallory" },
  }
  for (const [want, change] of Object.entries(changes)) {
    const expected = want.includes("spelling") ? "" : want.trim()
    assert.equal(differences(c, { ...binding, ...change }, [["ok", ask]]).join(), expected, want)
  }
  // The hints alone prove nothing: the tag must notice what they do not show.
  c.tag[15] ^= 1
  assert.deepEqual(differences(c, binding), ["tag"])
})

test("arguments without a canonical form are bound byte for byte", () => {
  for (const raw of ['{"a":1,"a":2}', '{"Amount":1,"amount":2}', '{"x":[{"K":1,"k":2}]}', '{"x":{"\\u017fs":1,"Ss":2}}', '{"\\u212a":1,"K":2}']) {
    assert.equal(toHex(digests({ ...binding, arguments: utf8(raw) }).arguments), sha256("R" + raw), raw)
  }
})

test("names that differ in more than letter case keep arguments canonical, and case is nothing to a question", () => {
  for (const text of ['{"K":{"k":1},"b":[{"B":1},{"b":2}]}', '{"[":1,"{":2}', '{"@":1,"`":2}', '{"\\u00c9":1,"\\u00e9":2}', '{"i":1,"\\u0130":2}']) {
    const want = createHash("sha256").update("A" + text.replace(/\\u(....)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))).digest("hex")
    assert.equal(toHex(digests({ ...binding, arguments: utf8(text.replace(",", " , ")) }).arguments), want, text)
  }
  const cased = utf8('{"method":"elicitation/create","params":{"b":1,"A":2,"a":3}}')
  assert.equal(toHex(pin("ok", cased).question), sha256('Q\0\0\0\x02ok{"method":"elicitation/create","params":{"A":2,"a":3,"b":1}}').slice(0, 32))
})

test("no arguments, null and those of a resource are the empty object", () => {
  const empty = sha256("A{}")
  for (const change of [{ arguments: null }, { arguments: utf8(" null ") }, { arguments: utf8("{ }") }, { method: "resources/read", arguments: utf8('{"n":1}') }]) {
    assert.equal(toHex(digests({ ...binding, ...change }).arguments), empty)
  }
})

test("no principal and the empty one differ", () => {
  assert.equal(toHex(digests({ ...binding, principal: null }).principal), sha256("P\0"))
  assert.notDeepEqual(bindingTag(bytes(rand), { ...binding, principal: null }), bindingTag(bytes(rand), binding))
})

test("pins follow the server's order and wording", () => {
  const c = readClaims(bytes(whole)) ?? assert.fail("malformed")
  assert.deepEqual(differences(c, binding, []), ["pins"])
  assert.deepEqual(differences(c, binding, [["other", ask]]), ["pins"])
  assert.deepEqual(differences(c, binding, [["ok", utf8('{"method":"elicitation/create","params":{"message":"Sure!"}}')]]), ["pins"])
  assert.equal(toHex(pin("r", utf8('{"method":"roots/list"}')).question), sha256('Q\0\0\0\x01r{"method":"roots/list"}').slice(0, 32))
})

test("replay id and expiry", () => {
  const { id, expires } = replay(bytes(whole), readClaims(bytes(whole)) ?? assert.fail("malformed"))
  assert.equal(toHex(id), sha256("parley-guard/1 id" + Buffer.from(whole, "hex").toString("latin1")).slice(0, 32))
  assert.equal(expires, 0x6a6d2d80 + 660)
})

test("guard.mjs answers line by line", () => {
  const request = { ...binding, arguments: toHex(binding.arguments), questions: [["ok", toHex(ask)]] }
  const { stdout, status } = spawnSync(process.execPath, [fileURLToPath(new URL("../guard.mjs", import.meta.url))], {
    encoding: "utf8",
    input: [whole, "00"].map((plaintext) => JSON.stringify({ ...request, plaintext })).join("\n"),
  })
  const [read, malformed] = stdout.trim().split("\n").map((line) => JSON.parse(line))
  assert.deepEqual([read.differs, read.state, read.pins, read.expires], [[], state, [{ key: K8, question: Q16 }], 0x6a6d2d80 + 660])
  assert.deepEqual([malformed, status], [{ error: true }, 0])
})
