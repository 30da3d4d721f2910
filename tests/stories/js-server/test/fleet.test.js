// Two servers in two languages, one service: with the same keys, audience and
// users either finishes the rounds that the other began, over real HTTP.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"

import { compileCodec, createGuard, newKey, principal } from "@parley-mcp/parley/codec"

import { Server } from "./peer.js"

const folder = mkdtempSync(join(tmpdir(), "parley-fleet-"))
const file = (/** @type {string} */ name) => join(folder, name)
const audience = "fleet"
const keys = newKey()
const ann = "ann-0123456789abcdef"
const bob = "bob-0123456789abcdef"

/** @type {Server} */
let go
/** @type {Server} */
let js

before(async () => {
  writeFileSync(file("keys"), keys, { mode: 0o600 })
  writeFileSync(file("users"), `ann ${ann}\nbob ${bob}\n`, { mode: 0o600 })
  execFileSync("go", ["build", "-o", file("go-server"), "./tests/stories/go-server"], { cwd: new URL("../../../..", import.meta.url), stdio: "inherit" })
  go = await Server.start("go", file("go-server"), ["-addr", "127.0.0.1:0", "-json", "-key-file", file("keys"), "-audience", audience, "-users", file("users")])
  const main = new URL("../main.js", import.meta.url).pathname
  js = await Server.start("js", process.execPath, [main, "--port", "0", "--key-file", file("keys"), "--audience", audience, "--users", file("users")])
})

after(async () => {
  await Promise.all([go?.stop(), js?.stop()])
  rmSync(folder, { recursive: true })
})

/** An accepted form. @param {object} content */
const accept = (content) => ({ action: "accept", content })
const decline = { action: "decline" }
const cancel = { action: "cancel" }

const weather = { name: "get_weather", arguments: { location: "Oslo" } }
const workItem = { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } }
const machine = { name: "provision_vm", arguments: { size: "medium" } }

/**
 * Calls, with an answer for each question, and what they come to.
 *
 * @type {Record<string, {method?: string, params: object, answers: object[], want: object}>}
 */
const calls = {
  "a form": { params: weather, answers: [{ units: accept({ units: "imperial" }) }], want: text("Oslo: 64 °F, light rain, wind 9 mph.") },
  "a form that was declined": { params: weather, answers: [{ units: decline }], want: text("Oslo: 18 °C, light rain, wind 15 km/h.") },
  "a form that was cancelled": { params: weather, answers: [{ units: cancel }], want: text("The user cancelled: no weather for Oslo.") },
  "a form answered badly, then well": {
    params: weather,
    answers: [{ units: accept({ units: "kelvin" }) }, { other: decline }, { units: accept({ units: "metric" }) }],
    want: text("Oslo: 18 °C, light rain, wind 15 km/h."),
  },
  "a form never answered well": {
    params: weather,
    answers: [{}, { units: accept({}) }, { units: accept({ units: 1 }) }],
    want: { ...text('No usable answer to ["units"] after asking 3 times.'), isError: true },
  },
  "two forms, of which one follows from the other": {
    params: workItem,
    answers: [{ resolution: accept({ resolution: "Duplicate" }) }, { duplicate: accept({ original_id: 4242, comment: "see there" }) }],
    want: text('Work item 4711 is now Resolved as a duplicate of 4242. Comment: "see there".'),
  },
  "two forms, the second again": {
    params: workItem,
    answers: [{ resolution: accept({ resolution: "Duplicate" }) }, { duplicate: accept({ original_id: 4711 }) }, { duplicate: accept({ original_id: 1 }) }],
    want: text("Work item 4711 is now Resolved as a duplicate of 1."),
  },
  "consent, with defaults": {
    params: machine,
    answers: [{ confirm: accept({ confirm: true, tags: ["test", "dev", "test"] }) }],
    want: text("Provisioned a medium machine in westeurope with 1 data disk(s) and tags dev, test for 53 EUR a month."),
  },
  "a prompt": {
    method: "prompts/get",
    params: { name: "code_review", arguments: { code: "x := 1" } },
    answers: [{ review: accept({ language: "Go" }) }],
    want: { messages: [{ role: "user", content: { type: "text", text: "Review this Go code for correctness.\n\nx := 1" } }] },
  },
  "a resource": {
    method: "resources/read",
    params: { uri: "parley://report/quarterly" },
    answers: [{ quarter: accept({ quarter: "Q3" }) }],
    want: { contents: [{ uri: "parley://report/quarterly", mimeType: "text/markdown", text: "| Quarter | Orders |\n|---|---|\n| Q3 | 1280 |\n" }] },
  },
}

/** @param {string} text */
function text(text) {
  return { content: [{ type: "text", text }] }
}

for (const [name, { method = "tools/call", params, answers, want }] of Object.entries(calls)) {
  test(name, async () => {
    /** @type {object[][]} */
    const asked = []
    for (const order of pairs()) {
      const questions = []
      let result = await pick(order, 0).ok(method, params, ann)
      for (const [i, inputResponses] of answers.entries()) {
        assert.equal(result.resultType, "input_required", `round ${i + 1}, begun on ${pick(order, 0).name}`)
        questions.push(result.inputRequests)
        const { requestState } = result
        result = await pick(order, i + 1).ok(method, { ...params, requestState, inputResponses }, ann)
      }
      asked.push(questions)
      assert.equal(result.resultType, "complete")
      for (const [member, value] of Object.entries(want)) assert.deepEqual(result[member], value, `${member}, begun on ${pick(order, 0).name}`)
    }
    for (const questions of asked) assert.deepEqual(questions, asked[0]) // or no question would be the same one on both
  })
}

/** The server of a leg: they take turns. @param {[Server, Server]} order @param {number} leg */
function pick(order, leg) {
  return leg % 2 === 0 ? order[0] : order[1]
}

test("arguments in another spelling are the same arguments", async () => {
  for (const [from, to] of pairs()) {
    const { requestState } = await from.ok("tools/call", workItem, ann)
    const inputResponses = { resolution: accept({ resolution: "Fixed" }) }
    const spelled = `{"arguments":{"state":"\\u0052esolved","id":4711.0},"name":"update_work_item","requestState":"${requestState}","inputResponses":${JSON.stringify(inputResponses)}}`
    const { body } = await to.send("tools/call", workItem, ann, spelled)
    assert.deepEqual(JSON.parse(body).result.content, text("Work item 4711 is now Resolved as Fixed.").content)
  }
})

test("numbers that JSON.parse does not read exactly fail closed from one language to the other", async () => {
  const exact = '{"name":"update_work_item","arguments":{"id":4711,"state":"Resolved","note":9007199254740993}'
  for (const [from, to] of pairs()) {
    const { requestState } = JSON.parse((await from.send("tools/call", workItem, ann, `${exact}}`)).body).result
    const { body } = await to.send("tools/call", workItem, ann, `${exact},"requestState":"${requestState}","inputResponses":{"resolution":{"action":"decline"}}}`)
    assert.match(body, from === to ? /declined/ : /Invalid or expired requestState/, `from ${from.name} to ${to.name}`)
  }
})

test("a state that is refused gets the very same answer from both", async (t) => {
  const module = await compileCodec()
  /** Mints a state as a server of another time, service or key would. @param {object} options */
  const mint = async (options) => {
    const guard = createGuard({ module, keys, audience, ...options })
    const { exchange } = await guard.inbound({ method: "tools/call", params: JSON.stringify(workItem), principal: principal(null, null, "ann") })
    return JSON.parse(await guard.outbound(exchange, '{"resultType":"input_required","requestState":"{}"}')).requestState
  }
  const states = [await go.ok("tools/call", workItem, ann), await js.ok("tools/call", workItem, ann)].map(({ requestState }) => requestState)
  /** @param {(state: string) => object} change */
  const each = (change) => states.map(change)
  const day = 86_400_000
  /** @type {Record<string, {params: object[], token?: string, method?: string, reason: string}>} */
  const cases = {
    tampered: { params: each((s) => ({ ...workItem, requestState: flip(s) })), reason: "forged" },
    truncated: { params: each((s) => ({ ...workItem, requestState: s.slice(0, -4) })), reason: "forged" },
    "no token": { params: [{ ...workItem, requestState: "step=1" }], reason: "malformed" },
    "over the cap": { params: [{ ...workItem, requestState: "A".repeat(20_000) }], reason: "too large" },
    "moved to other arguments": { params: each((s) => ({ ...workItem, arguments: { ...workItem.arguments, id: 4712 }, requestState: s })), reason: "arguments" },
    "moved to another tool": { params: each((s) => ({ ...weather, requestState: s })), reason: "target" },
    "moved to another method": { method: "prompts/get", params: each((s) => ({ name: "update_work_item", requestState: s })), reason: "target" },
    "moved to another person": { params: each((s) => ({ ...workItem, requestState: s })), token: bob, reason: "principal" },
    expired: { params: [{ ...workItem, requestState: await mint({ now: () => Date.now() - day - 1000, ttl: 2 * day }) }], reason: "expired" },
    "not yet valid": { params: [{ ...workItem, requestState: await mint({ now: () => Date.now() + 120_000 }) }], reason: "not yet valid" },
    "of another service": { params: [{ ...workItem, requestState: await mint({ audience: "other" }) }], reason: "target" },
    "of another key": { params: [{ ...workItem, requestState: await mint({ keys: newKey() }) }], reason: "unknown key" },
  }
  for (const [name, { params, token = ann, method = "tools/call", reason }] of Object.entries(cases)) {
    await t.test(name, async () => {
      const logs = [go, js].map(({ log }) => log.length)
      for (const one of params) {
        const [fromGo, fromJs] = await Promise.all([go, js].map((server) => server.send(method, one, token)))
        assert.equal(fromJs?.body, fromGo?.body) // the HTTP status is the SDK's: Go's says 400, TypeScript's 200
        assert.match(fromJs?.body ?? "", /"error":\{"code":-32602,"message":"Invalid or expired requestState","data":\{"reason":"invalid_request_state"\}\}/)
      }
      for (const [i, server] of [go, js].entries()) {
        // go: cause="codec: expired"; js: parley: requestState of tools/call: expired
        assert.ok(await server.logged(new RegExp(`(codec|${method}): ${reason}\\b`), logs[i]), `${server.name} did not log ${reason}: ${server.log.slice(logs[i])}`)
      }
    })
  }
  await t.test("the states were good all the while", async () => {
    for (const requestState of states) {
      for (const server of [go, js]) {
        const result = await server.ok("tools/call", { ...workItem, requestState, inputResponses: { resolution: decline } }, ann)
        assert.match(result.content[0].text, /declined/)
      }
    }
  })
  for (const server of [go, js]) {
    for (const state of states) assert.ok(!server.log.includes(state.slice(8, 40)), `${server.name} has a state in its log`)
    for (const secret of [ann, bob, Buffer.from(keys).toString().trim().slice(-43)]) assert.ok(!server.log.includes(secret), `${server.name} has a secret in its log`)
  }
})

test("nobody else is let in", async () => {
  for (const server of [go, js]) {
    assert.equal((await server.send("tools/call", weather, "carol-0123456789abcdef")).status, 401)
  }
})

test("keys are rotated under way", async () => {
  const old = [await go.ok("tools/call", weather, ann), await js.ok("tools/call", weather, ann)]
  const next = newKey()
  const rotate = async (/** @type {Uint8Array[]} */ ...ring) => {
    writeFileSync(file("keys"), Buffer.concat(ring))
    for (const server of [go, js]) await server.hangUp(/keys read/)
  }
  await rotate(keys, next) // accept the new one
  await rotate(next, keys) // mint with it
  const young = [await go.ok("tools/call", weather, ann), await js.ok("tools/call", weather, ann)]
  assert.notEqual(young[0].requestState.slice(0, 6), old[0].requestState.slice(0, 6)) // suite and key id
  for (const { requestState } of [...old, ...young]) {
    for (const server of [go, js]) assert.equal((await server.ok("tools/call", { ...weather, requestState, inputResponses: { units: decline } }, ann)).resultType, "complete")
  }
  await rotate(next) // drop the old one
  for (const server of [go, js]) {
    const { body } = await server.send("tools/call", { ...weather, requestState: old[0].requestState }, ann)
    assert.match(body, /Invalid or expired requestState/)
    assert.equal((await server.ok("tools/call", { ...weather, requestState: young[0].requestState, inputResponses: { units: decline } }, ann)).resultType, "complete")
  }
})

/** From each server to the other, and to itself. */
function pairs() {
  return /** @type {[Server, Server][]} */ ([[go, js], [js, go], [go, go], [js, js]])
}

/** A token with one character in the middle changed. @param {string} token */
function flip(token) {
  const at = token.length >> 1
  return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
}
