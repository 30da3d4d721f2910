// What needs no editor.

import assert from "node:assert/strict"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test, { after } from "node:test"

import { Code, connect, fetchTransport, ParkingStore, ParleyError, requests, TakenError } from "@parley-mcp/parley/core"
import { compileCodec, Context, createBox, newKey } from "@parley-mcp/parley/codec"
import { load } from "@parley-mcp/parley/inline"
import { maxAbout } from "@parley-mcp/parley/store"

import { askArguments } from "../src/arguments.js"
import { FileEntries } from "../src/entries.js"
import { told } from "../src/failure.js"
import { aboutOf, recordOf } from "../src/kept.js"
import { KeyError, keyInUse } from "../src/key.js"
import { BACK } from "../src/leaving.js"
import { writePrivately } from "../src/private-file.js"
import { formQuestion } from "../src/question-form.js"
import { readServers } from "../src/servers.js"
import { folderPlace } from "../src/place.js"
import { line } from "../src/shown.js"
import { Vault } from "../src/vault.js"
import { folderOn } from "./folder.js"
import * as editor from "./vscode-stub.js"

/** @import { Question, Send } from "@parley-mcp/parley" */
/** @import { Calls as AllCalls, Listed } from "../src/calls.js" */
/** @import { Host } from "../src/drive.js" */
/** @import { Open } from "../src/desk.js" */
/** @import { Results } from "../src/results.js" */
/** @import { Sheet } from "../src/question-sheet.js" */

const { Calls } = await import("../src/calls.js")
const { itemsOf } = await import("../src/compose.js")
const { draftsOf } = await import("../src/desk.js")
const { giveToFile, goOnFromFile } = await import("../src/handover.js")
const { resultText } = await import("../src/results.js")
const { allowed } = await import("../src/settings.js")
const engine = await load()

/** @type {string[]} */
const homes = []
after(() => homes.forEach((home) => rmSync(home, { recursive: true })))

function newHome() {
  const home = mkdtempSync(join(tmpdir(), "parley-vscode-units-"))
  homes.push(home)
  return home
}

test("text of a server makes no links and no icons, and hides nothing", () => {
  const tests = {
    "[a](command:x)": "[a] (command:x)",
    "$(flame) on": "$ (flame) on",
    "\u001b[31m\u202eabc": "␛[31m<U+202E>abc",
    "two\nlines": "two␤lines",
  }
  for (const [text, want] of Object.entries(tests)) assert.equal(line(text), want)
  assert.equal(line("abcdef", 3), "abc… (3 more characters)")
})

test("servers of the settings, and what is wrong with them", () => {
  const { servers, problems } = readServers([
    { label: "Desk", url: "https://example.com/mcp" },
    { label: "Files", command: "files", args: ["--all"] },
    { label: "Desk", url: "https://example.org/mcp" },
    { label: "Odd", url: "file:///etc/passwd" },
    { label: "Both", url: "https://example.com/", command: "x" },
    { url: "https://example.com/" },
    null,
  ])
  assert.deepEqual(
    servers.map(({ label, address }) => [label, address]),
    [
      ["Desk", "https://example.com/mcp"],
      ["Files", '["files","--all"]'],
    ],
  )
  assert.equal(problems.length, 5)
  assert.deepEqual(readServers(undefined), { servers: [], problems: [] })
})

test("two windows change the same calls, and neither loses what the other did", async () => {
  const home = newHome()
  const [one, other] = [new FileEntries(folderOn(home)), new FileEntries(folderOn(home))]
  await one.change("a", () => ({ entry: { id: "a", time: 0 }, result: undefined }))
  const add = (/** @type {FileEntries} */ entries) => entries.change("a", (entry) => ({ entry: { id: "a", time: (entry?.time ?? 0) + 1 }, result: undefined }))
  await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? one : other)))
  assert.deepEqual(await one.all(), [{ id: "a", time: 40 }])
  await assert.rejects(
    other.change("a", () => {
      throw new Error("no")
    }),
    /no/,
  )
  assert.deepEqual(await one.all(), [{ id: "a", time: 40 }])
  await other.change("a", () => ({ entry: undefined, result: undefined }))
  assert.deepEqual(await one.all(), [])
  assert.deepEqual(readdirSync(home), [])
})

test("a move that is told to have failed, because another window was quick, has not", async () => {
  const folder = folderOn(newHome())
  const moved = (/** @type {"rename" | "create"} */ how) => async (/** @type {string} */ from, /** @type {string} */ to) => {
    await folder[how](from, to)
    if (to === "a.json") throw new Error("Unable to resolve nonexistent file")
  }
  const entries = new FileEntries({ ...folder, rename: moved("rename"), create: moved("create") })
  for (const time of [1, 2]) await entries.change("a", () => ({ entry: { id: "a", time }, result: undefined }))
  assert.deepEqual(await entries.all(), [{ id: "a", time: 2 }])
})

test("what a window left that died in the middle of a change is not lost, and does not come back", async () => {
  const home = newHome()
  const entries = new FileEntries(folderOn(home))
  writeFileSync(join(home, "a.1000.x.held"), '{"id":"a","time":1}')
  writeFileSync(join(home, "b.json"), '{"id":"b","time":2}')
  writeFileSync(join(home, "b.1000.x.held"), '{"id":"b","time":1}')
  writeFileSync(join(home, "c.json"), "{") // damaged
  assert.deepEqual(
    (await entries.all()).map(({ id, time }) => [id, time]).sort(),
    [
      ["a", 1],
      ["b", 2],
    ],
  )
  const store = new ParkingStore(entries)
  await store.delete("a")
  await store.delete("b")
  assert.deepEqual(await entries.all(), [])
})

test("two windows that wait for one that died change a call one after the other", async (t) => {
  const began = performance.now()
  t.mock.method(Date, "now", () => 1e12 + 10 * (performance.now() - began)) // for 5 s in half a second
  const home = newHome()
  writeFileSync(join(home, `a.${Date.now()}.x.held`), '{"id":"a","time":0}')
  const slow = { ...folderOn(home) }
  for (const name of /** @type {const} */ (["read", "write"])) {
    slow[name] = async (/** @type {any[]} */ ...given) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return /** @type {any} */ (folderOn(home)[name])(...given)
    }
  }
  const add = (/** @type {FileEntries} */ entries) => entries.change("a", (entry) => ({ entry: { id: "a", time: (entry?.time ?? 0) + 1 }, result: undefined }))
  await Promise.all(Array.from({ length: 4 }, () => add(new FileEntries(slow))))
  assert.deepEqual(await new FileEntries(slow).all(), [{ id: "a", time: 4 }])
})

test("what a window left after its change does not come back while another changes the call", async () => {
  const home = newHome()
  writeFileSync(join(home, "a.1000.x.held"), '{"id":"a","time":1}')
  writeFileSync(join(home, `a.${Date.now()}.y.held`), '{"id":"a","time":2}')
  const entries = new FileEntries(folderOn(home))
  const changed = entries.change("a", (entry) => ({ entry, result: entry?.time }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  writeFileSync(join(home, "a.json"), '{"id":"a","time":3}')
  assert.equal(await changed, 3)
})

test("what a window was writing when it died is removed", async () => {
  const home = newHome()
  for (const name of ["a.1000.x.held.next", "b.1000.x.held.next", `c.${Date.now()}.x.held.next`]) writeFileSync(join(home, name), "{")
  const entries = new FileEntries(folderOn(home))
  await entries.change("a", () => ({ entry: undefined, result: undefined }))
  assert.deepEqual(readdirSync(home).map((name) => name.charAt(0)), ["c"])
})

test("a call is one window's at a time", async () => {
  const home = newHome()
  const [one, other] = [home, home].map((home) => new ParkingStore(new FileEntries(folderOn(home))))
  assert.ok(one && other)
  await one.put("a", "kept")
  const { lease, snapshot } = await one.take("a")
  assert.equal(snapshot, "kept")
  await assert.rejects(other.take("a"), TakenError)
  await lease.release()
  await (await other.take("a")).lease.done()
  assert.deepEqual(await one.list(), [])
})

/** As versions kept a call before there was a store. @param {Vault} vault @param {string} id @param {string} text */
function sealEarlier({ box }, id, text) {
  return Buffer.from(box.seal(new TextEncoder().encode(text), Context.snapshot + id)).toString("base64")
}

test("what an earlier version kept opens with its key, for its call", async () => {
  const module = await compileCodec()
  const [key, other] = [newKey(), newKey()].map((bytes) => new TextDecoder().decode(bytes))
  assert.ok(key && other)
  const vault = new Vault(module, key)
  const text = `ü ${"x".repeat(100_000)}`
  const sealed = sealEarlier(vault, "a", text)
  const later = new Vault(module, key)
  assert.equal(later.openEarlier("a", sealed), text)
  assert.throws(() => later.openEarlier("b", sealed))
  assert.throws(() => later.openEarlier("a", `${sealed.slice(0, -8)}AAAAAAA=`))
  const stranger = new Vault(module, other)
  assert.throws(() => stranger.openEarlier("a", sealed))
  for (const one of [vault, later, stranger]) one.close()
})

test("what is sealed lies in a file as it is", async () => {
  const home = newHome()
  const box = createBox({ module: await compileCodec(), keys: newKey() })
  const [one, other] = [1, 2].map(() => folderPlace(new FileEntries(folderOn(home)), box).store)
  assert.ok(one && other)
  const lease = await one.create("a")
  await lease.save('{"secret":1}', { label: "Desk", title: "Deploy" })
  await lease.release()
  assert.doesNotMatch(readFileSync(join(home, "a.json"), "utf8"), /secret|Desk|Deploy/)
  for await (const { about } of other.list()) assert.deepEqual(about, { label: "Desk", title: "Deploy" })
  const taken = await other.take("a")
  assert.equal(taken.snapshot, '{"secret":1}')
  await taken.lease.done()
  box.close()
})

test("windows that begin at once have one key, and none is put in the place of one in use", async () => {
  const secrets = new Map()
  const storage = {
    get: async (/** @type {string} */ name) => secrets.get(name),
    store: async (/** @type {string} */ name, /** @type {string} */ value) => void secrets.set(name, value),
  }
  const home = newHome()
  const marks = () => new ParkingStore(new FileEntries(folderOn(home)))
  const keys = await Promise.all([1, 2, 3].map(() => keyInUse(storage, marks())))
  assert.equal(new Set(keys).size, 1)
  assert.ok(!readdirSync(home).some((name) => readFileSync(join(home, name), "utf8").includes(keys[0]?.split(" ")[2]?.trim() ?? "")))
  const blind = { ...storage, get: async () => undefined }
  await assert.rejects(keyInUse(blind, marks()), KeyError)
  assert.equal(await keyInUse(storage, marks()), keys[0])
  const replaced = await keyInUse(blind, marks(), { replace: true })
  assert.notEqual(replaced, keys[0])
  assert.equal(await keyInUse(storage, marks()), replaced)
})

test("a key that cannot be marked as in use is said to be so", { timeout: 60_000 }, async () => {
  const secrets = { get: async () => undefined, store: async () => {} }
  const full = { ...folderOn(newHome()), write: () => Promise.reject(new Error("no space left on device")) }
  await assert.rejects(keyInUse(secrets, new ParkingStore(new FileEntries(full))), /no space left/)
})

/**
 * All calls of two windows whose server is a function.
 *
 * @param {Send} send @param {(question: Question) => string} answer the person's
 */
async function calling(send, answer) {
  const vault = new Vault(await compileCodec(), new TextDecoder().decode(newKey()))
  const session = connect(engine, requests(send))
  /** @type {string[]} */
  const shown = []
  const parts = {
    engine,
    sessions: { askers: allowed, signingIn: () => ({}), account: () => undefined, call: (/** @type {unknown} */ _, /** @type {(one: unknown) => unknown} */ work) => work(session) },
    desk: { ask: async (/** @type {unknown} */ _, /** @type {Question} */ question) => answer(question) },
    results: { show: async (/** @type {unknown} */ _, /** @type {string} */ result) => void shown.push(result) },
    log: { note() {} },
    trouble: (/** @type {string} */ _, /** @type {unknown} */ error) => assert.fail(String(error)),
  }
  const home = newHome()
  const windows = [1, 2].map(() => new Calls(/** @type {Host} */ (/** @type {unknown} */ (parts)), folderPlace(new FileEntries(folderOn(home)), vault.box)))
  const [calls, other] = /** @type {[AllCalls, AllCalls]} */ (windows)
  const end = async () => {
    for (const window of windows) await window.leave()
    await session.close()
    vault.close()
    assert.equal(engine.live, 0)
  }
  return { calls, other, shown, end }
}

const desk = { label: "Desk", address: "x", url: "http://localhost/" }
const deploy = { method: "tools/call", params: '{"name":"deploy"}', title: "deploy" }

test("what a list is told of a call has bounds, and counts a sign-in as a question", () => {
  const long = "\u{1f600}".repeat(5000)
  const open = Array.from({ length: 9 }, (_, ask) => ({ ask, says: long }))
  const record = { ...deploy, id: "a", server: long, address: `https://${long}/`, title: long, started: 0, open }
  const about = aboutOf(engine, record, "of another version")
  assert.deepEqual([about.questions, about.peer, about.method], [9, undefined, "tools/call"])
  assert.ok(Buffer.byteLength(JSON.stringify(about)) <= maxAbout)
  const listed = { id: "a", time: 1, taken: false, cursor: "1000.a", about: { ...about, titles: ["Sign in?"] } }
  assert.deepEqual(recordOf(listed)?.open.map(({ says }) => says), ["Sign in?", ...Array(8).fill("A question")])
})

/** @param {string} member */
const response = (member) => `{"jsonrpc":"2.0","id":1,${member}}`

test("a tool call that is stopped in flight may have run: it is kept, and sent again by the person alone", async () => {
  let sent = 0
  /** @type {() => void} */
  let arrived = () => {}
  const inFlight = new Promise((resolve) => (arrived = () => resolve(undefined)))
  const { calls, shown, end } = await calling(() => {
    if (sent++) return response('"result":{"content":[]}')
    arrived()
    return new Promise(() => {})
  }, () => assert.fail("it asks nothing"))
  const started = calls.start(desk, deploy)
  await inFlight
  const [{ id = "", phase } = {}] = calls.list()
  assert.equal(phase, "here")
  calls.stop(id)
  await started
  assert.match(editor.told.splice(0).join(), /^Desk: deploy\. It is not known whether this was done\. Find out if you can\. Sent again, it may be done twice\. It is kept as it was\.$/)
  assert.deepEqual(
    calls.list().map(({ phase, record }) => [phase, record?.failure?.inDoubt]),
    [["kept", true]],
  )
  assert.equal(sent, 1)
  await calls.goOn(id, desk)
  assert.deepEqual([sent, shown, calls.list()], [2, ['{"content":[]}'], []])
  await end()
})

test("a tool call whose window was closed in flight is not sent again before the person says so", async () => {
  let sent = 0
  /** @type {() => void} */
  let arrived = () => {}
  const inFlight = new Promise((resolve) => (arrived = () => resolve(undefined)))
  const { calls, other, end } = await calling(() => {
    sent++
    arrived()
    return new Promise(() => {})
  }, () => assert.fail("it asks nothing"))
  const started = calls.start(desk, deploy)
  await inFlight
  const [{ id = "" } = {}] = calls.list()
  await calls.leave()
  await other.goOn(id, desk)
  assert.match(editor.told.splice(0).join(), /^Desk: deploy\. It is not known whether this was done\. It cannot be told whether the tool has run.* Find out if you can/)
  assert.deepEqual([sent, other.list().map(({ record }) => record?.failure?.inDoubt)], [1, [true]])
  await end()
  await started
  assert.deepEqual(editor.told, [])
})

test("a call that is stopped at a question is given up", async () => {
  const { calls, end } = await calling(
    () => response('"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}'),
    () => {
      calls.list().forEach(({ id }) => calls.stop(id))
      return '{"roots":[]}'
    },
  )
  await calls.start(desk, deploy)
  assert.deepEqual([editor.told.splice(0), calls.list()], [[], []])
  await end()
})

test("a server that has forgotten what was answered: the call starts over, and forms are filled in", async () => {
  const form = '{"method":"elicitation/create","params":{"message":"Where?","requestedSchema":{"type":"object","properties":{"zone":{"type":"string"}}}}}'
  /** @type {any[]} */
  const sent = []
  const { calls, shown, end } = await calling(
    ({ params }) => {
      const { requestState: state } = JSON.parse(params)
      sent.push(state)
      if (state === undefined) return response(`"result":{"resultType":"input_required","requestState":"s${sent.length}","inputRequests":{"k":${form}}}`)
      return response(state === "s1" ? '"error":{"code":-32602,"message":"what state?"}' : '"result":{"content":[]}')
    },
    ({ earlier = "{\"zone\":\"north\"}" }) => {
      asked.push(earlier)
      return `{"action":"accept","content":${earlier}}`
    },
  )
  /** @type {string[]} */
  const asked = []
  await calls.start(desk, deploy)
  const [{ id = "", record } = {}] = calls.list()
  assert.match(editor.told.splice(0).join(), /does not accept the answers any more.*The server says: what state\? \(error -32602\)/)
  assert.equal(record?.failure?.code, Code.state)
  await calls.goOn(id, desk)
  assert.deepEqual(sent, [undefined, "s1", undefined, "s3"])
  assert.deepEqual(asked, ['{"zone":"north"}', '{"zone":"north"}'])
  assert.deepEqual(shown, ['{"content":[]}'])
  await end()
})

test("a server that keeps asking may ask on when the person goes on", async () => {
  let [sent, asked] = [0, 0]
  const { calls, shown, end } = await calling(
    () => response(sent++ < 15 ? '"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}' : '"result":{"content":[]}'),
    () => (asked++, '{"roots":[]}'),
  )
  await calls.start(desk, deploy)
  const [{ id = "", record } = {}] = calls.list()
  assert.deepEqual([asked, record?.failure?.code], [10, Code.rounds])
  assert.match(editor.told.splice(0).join(), /You can let it ask more/)
  await calls.goOn(id, desk)
  assert.deepEqual([asked, shown], [15, ['{"content":[]}']])
  await end()
})

test("a server is told what it may ask for, as the person has set it", async (t) => {
  t.after(() => Object.assign(editor.settings, { sampling: undefined, roots: undefined }))
  for (const [set, may] of /** @type {const} */ ([
    ["ask", ["elicitation", "roots", "sampling", "extensions"]],
    ["never", ["elicitation", "extensions"]],
  ])) {
    Object.assign(editor.settings, { sampling: set, roots: set })
    /** @type {string[]} */
    let told = []
    const { calls, end } = await calling(
      ({ capabilities }) => {
        told = Object.keys(JSON.parse(capabilities))
        return response('"result":{"content":[]}')
      },
      () => assert.fail("it asks nothing"),
    )
    await calls.start(desk, deploy)
    await end()
    assert.deepEqual(told, may)
  }
})

test("a call that is left waits for the next window, and its server is told nothing", async () => {
  /** @type {string[]} */
  const sent = []
  /** @type {() => void} */
  let asked = () => {}
  const waits = new Promise((resolve) => (asked = () => resolve(undefined)))
  const { calls, other, end } = await calling(
    ({ method }) => {
      sent.push(method)
      return response('"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}')
    },
    () => {
      asked()
      return /** @type {any} */ (new Promise(() => {}))
    },
  )
  const started = calls.start(desk, deploy)
  await waits
  await other.refresh()
  assert.deepEqual(other.list().map(({ phase }) => phase), ["elsewhere"])
  await calls.leave()
  await other.refresh()
  assert.deepEqual(
    other.list().map(({ phase, record }) => [phase, record?.open.map(({ says }) => says)]),
    [["kept", ["Which folders may it work on?"]]],
  )
  await end()
  await started
  assert.deepEqual([sent, editor.told], [["tools/call"], []])
})

test("a parked call that cannot be resumed stays as it was, and the person is told why", async () => {
  const keys = new TextDecoder().decode(newKey())
  const vault = new Vault(await compileCodec(), keys)
  const entries = new FileEntries(folderOn(newHome()))
  const record = { id: "a", server: "Desk", address: "x", method: "tools/call", params: "{}", title: "t", started: 1, open: [{ ask: 1, kind: "elicitation/create", says: "Who?" }] }
  await new ParkingStore(entries, { seal: (id, snapshot) => sealEarlier(vault, id, JSON.stringify({ record, snapshot })) }).put("a", "of another version")
  const session = connect(engine, fetchTransport("http://localhost/"), { askers: { elicit: () => ({ action: "cancel" }) } })
  const sessions = { askers: allowed, signingIn: () => ({}), account: () => undefined, call: (/** @type {unknown} */ _, /** @type {(one: unknown) => unknown} */ work) => work(session) }
  const host = /** @type {Host} */ (/** @type {unknown} */ ({ engine, sessions, trouble: (/** @type {string} */ _, /** @type {unknown} */ error) => assert.fail(String(error)) }))
  const calls = new Calls(host, folderPlace(entries, vault.box, (id, sealed) => vault.openEarlier(id, sealed)))
  try {
    await calls.goOn("a", { label: "Desk", address: "x", url: "http://localhost/" })
    assert.deepEqual(calls.list(), [{ id: "a", phase: "kept", record }])
    assert.match(editor.told.splice(0).join(), /^Desk: t\. .*snapshot.* It is kept as it was\.$/i)
  } finally {
    await calls.leave()
    await session.close()
    vault.close()
  }
})

test("a call is given to a file that nobody else can read, or others are said to", async () => {
  const home = newHome()
  const calls = /** @type {AllCalls} */ (/** @type {unknown} */ ({ give: (/** @type {string} */ _, /** @type {(snapshot: string) => unknown} */ take) => take("secret") }))
  const listed = /** @type {Listed} */ (/** @type {unknown} */ ({ id: "a", record: { title: "t" } }))
  const give = async (/** @type {string} */ scheme, /** @type {string} */ name, platform = { writePrivately }) => {
    editor.save.file = { scheme, fsPath: join(home, name) }
    await giveToFile(platform, calls, listed)
    return editor.told.splice(0).join()
  }
  writeFileSync(join(home, "old"), "longer than what comes", { mode: 0o644 })
  for (const name of ["new", "old"]) {
    assert.doesNotMatch(await give("file", name), /others/)
    assert.equal(readFileSync(join(home, name), "utf8"), "secret")
    assert.equal(statSync(join(home, name)).mode & 0o777, 0o600)
  }
  assert.match(await give("memfs", "other"), /others on the computer may/)
  assert.match(await give("file", "other", /** @type {any} */ ({})), /others on the computer may/)
})

test("a call from a file goes on at its server, for the account that it is of", async () => {
  editor.settings.servers = ["one", "two"].map((label) => ({ label, url: `https://${label}.example/mcp` }))
  /** @type {unknown[]} */
  let started = []
  const calls = /** @type {AllCalls} */ (/** @type {unknown} */ ({ start: async (/** @type {unknown[]} */ ...all) => (started = all) }))
  const accounts = /** @type {any} */ ({ account: async (/** @type {{label: string}} */ { label }) => (label === "two" ? { label: "ann" } : undefined) })
  /** @param {string} peer @param {string} [principal] */
  const open = async (peer, principal) => {
    const session = engine.newSession({ transport: "requests" })
    editor.opened.text = session.snapshot(session.call("tools/call", { name: "book" }, { peer, principal }))
    session.free()
    await goOnFromFile(engine, calls, accounts)
    const [server, record] = /** @type {[{label: string}, {principal?: string, title: string}]} */ (started)
    return [server.label, record.principal, record.title]
  }
  assert.deepEqual(await open("https://one.example/mcp"), ["one", undefined, "book"])
  assert.deepEqual(await open("https://two.example/mcp", "ann"), ["two", "ann", "book"])
  await assert.rejects(open("https://two.example/mcp", "bob"), /another account/)
  await assert.rejects(open("https://three.example/mcp"), /not in the setting parley\.servers/)
  editor.opened.text = "{}"
  await assert.rejects(goOnFromFile(engine, calls, accounts), ParleyError)
  delete editor.settings.servers
})

/** A step as it is put to a person. @typedef {{step: number, total: number, prompt: string, value?: string, items?: {label: string, value?: string, description?: string, detail?: string}[], picked?: unknown[], check: (given: any) => string | undefined}} Step */

/**
 * A sheet where each step is done as told: by the label of an item, labels to
 * tick, or text, after some that was only typed; or BACK.
 *
 * @param {(string | string[] | {types: string[]} | typeof BACK)[]} acts
 */
function acting(...acts) {
  /** @type {Step[]} */
  const steps = []
  const next = (/** @type {Step} */ step) => {
    steps.push(step)
    const act = acts.shift()
    if (act === undefined) throw new Error(`nothing is to be done with: ${step.prompt}`)
    return act
  }
  const sheet = {
    ways: [],
    async pick(/** @type {Step} */ step) {
      const act = next(step)
      return act === BACK ? BACK : step.items?.find(({ label }) => label.endsWith(String(act))) ?? assert.fail(`there is no ${String(act)}`)
    },
    async pickSome(/** @type {Step} */ step) {
      const act = next(step)
      if (!Array.isArray(act)) return BACK
      const picked = step.items?.filter(({ label }) => act.includes(label)) ?? []
      const problem = step.check(picked)
      return problem === undefined ? picked : assert.fail(problem)
    },
    async input(/** @type {Step} */ step) {
      const act = next(step)
      if (typeof act === "object" && !Array.isArray(act)) {
        for (const typed of act.types) step.check(typed)
        return BACK
      }
      if (typeof act !== "string") return BACK
      const problem = step.check(act)
      return problem === undefined ? act : assert.fail(problem)
    },
  }
  return { sheet: /** @type {Sheet} */ (/** @type {unknown} */ (sheet)), steps }
}

/** @param {string} properties JSON text @param {string[]} required @param {Sheet} sheet @param {string} [earlier] what was filled in before */
function answering(properties, required, sheet, earlier) {
  const params = `{"message":"Tell me.","requestedSchema":{"type":"object","properties":${properties},"required":${JSON.stringify(required)}}}`
  const open = /** @type {Open} */ (/** @type {unknown} */ ({ question: { params, earlier }, drafts: draftsOf({ earlier }), call: { record: { server: "Desk" } } }))
  return formQuestion(engine, /** @type {Results} */ (/** @type {unknown} */ (undefined)), open, sheet)
}

test("numbers keep their spelling, optional fields are left out", async () => {
  const { sheet, steps } = acting("Respond", "1.0", "", "Leave it out", [], "Send to Desk")
  const properties = '{"n":{"type":"number"},"s":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"array","items":{"type":"string","enum":["x"]}}}'
  assert.equal(await answering(properties, ["n"], sheet), '{"action":"accept","content":{"n":1.0}}')
  assert.deepEqual(
    steps.map(({ step, total }) => `${step}/${total}`),
    ["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"],
  )
})

test("going back keeps what was typed, and the review leads to a field", async () => {
  const { sheet, steps } = acting("Respond", "Ann", { types: ["1", "12"] }, "Anna", "12", "name", "Anne", "12", "Send to Desk")
  assert.equal(
    await answering('{"name":{"type":"string"},"age":{"type":"integer","minimum":10}}', ["name", "age"], sheet),
    '{"action":"accept","content":{"name":"Anne","age":12}}',
  )
  assert.deepEqual(
    steps.map(({ value }) => value),
    [undefined, "", "", "Ann", "12", undefined, "Anna", "12", undefined],
  )
})

test("what was filled in before the call started over is there again, to be looked at and changed", async () => {
  const properties = '{"name":{"type":"string"},"size":{"type":"number"}}'
  const { sheet, steps } = acting("Respond", "size", "3", "Send to Desk")
  assert.equal(await answering(properties, ["name"], sheet, '{"name":"Ann","size":2.50}'), '{"action":"accept","content":{"name":"Ann","size":3}}')
  assert.deepEqual(
    steps.map(({ step, value }) => [step, value]),
    [
      [1, undefined],
      [4, undefined],
      [3, "2.50"],
      [4, undefined],
    ],
  )
  assert.equal(await answering(properties, ["name"], acting("Respond", "Send to Desk").sheet, '{"name":"Ann","size":2.50}'), '{"action":"accept","content":{"name":"Ann","size":2.50}}')
})

test("what was left out before the call started over stays out", async () => {
  const { sheet } = acting("Respond", "Send to Desk")
  const properties = '{"name":{"type":"string"},"note":{"type":"string","default":"none"}}'
  assert.equal(await answering(properties, ["name"], sheet, '{"name":"Ann"}'), '{"action":"accept","content":{"name":"Ann"}}')
})

test("too few and too many", async () => {
  const properties = '{"c":{"type":"array","title":"Colours","items":{"type":"string","enum":["red","green","blue"]},"minItems":1,"maxItems":2}}'
  const { sheet, steps } = acting("Respond", ["blue", "red"], "Send to Desk")
  assert.equal(await answering(properties, ["c"], sheet), '{"action":"accept","content":{"c":["red","blue"]}}')
  const [, step] = steps
  assert.equal(step?.check([]), "Colours must be at least 1 choice")
  assert.equal(step?.check(step.items), "Colours must be at most 2 choices")
})

test("a type is picked before its value, which is never guessed", async () => {
  const properties = '{"a":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string"},{"type":"null"}],"title":"Amount"}}'
  const { sheet, steps } = acting("Respond", "A number", BACK, "Text", "007", "Amount", "Text", "008", "Send to Desk")
  assert.equal(await answering(properties, ["a"], sheet), '{"action":"accept","content":{"a":"008"}}')
  assert.equal(steps[2]?.check("0"), "Amount must be more than 0")
  assert.equal(steps[7]?.value, "007", "what was typed is there again")
  assert.equal(await answering(properties, ["a"], acting("Respond", "Leave it empty", "Send to Desk").sheet), '{"action":"accept","content":{"a":null}}')
  assert.equal(await answering(properties, [], acting("Respond", "Send to Desk").sheet, '{"a":"9"}'), '{"action":"accept","content":{"a":"9"}}')
  const again = acting("Respond", "Amount", "Text", "10", "Send to Desk")
  assert.equal(await answering(properties, [], again.sheet, '{"a":"9"}'), '{"action":"accept","content":{"a":"10"}}')
  assert.equal(again.steps[3]?.value, "9")
})

test("values of a list are added, changed and removed", async () => {
  const properties = '{"t":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"uniqueItems":true,"title":"Tags"}}'
  const { sheet, steps } = acting("Respond", "Add a value", "ab", "Done", "Add a value", "cd", "Add a value", "ef", "cd", "", "ab", "AB", "Done", "Send to Desk")
  assert.equal(await answering(properties, ["t"], sheet), '{"action":"accept","content":{"t":["AB","ef"]}}')
  assert.equal(steps[2]?.check("a"), "Tags must have values that fit: each must be at least 2 characters")
  assert.match(steps[4]?.prompt ?? "", /⚠ Tags must be at least 2 values$/)
  assert.equal(await answering('{"t":{"type":"array","items":{"type":"number"},"default":[1.0,2]}}', [], acting("Respond", "Done", "Send to Desk").sheet), '{"action":"accept","content":{"t":[1.0,2]}}')
  assert.equal(await answering('{"t":{"type":"array","items":{"type":"number"}}}', [], acting("Respond", "Done", "Send to Desk").sheet), '{"action":"accept","content":{}}')
})

test("choices are JSON, nothing stands for null, and what is only shown is no step", async () => {
  const properties = `{"id":{"type":"string","readOnly":true,"default":"A-7","title":"Number"},"a":{"enum":[1,"1",true]},"b":{"enum":["s",null]},"c":{"const":true,"title":"I agree"},
    "d":{"type":"string","default":"x","pattern":"^[x](command:y) $(flame)","examples":["x1"]},"e":{"type":["integer","null"],"default":5},"f":{"type":"array","items":{"enum":[1,2]},"default":[2.0]}}`
  const { sheet, steps } = acting("Respond", '"1"', "Leave it empty", "Yes", "", "", ["1", "2"], "Send to Desk")
  assert.equal(await answering(properties, ["a", "b", "c"], sheet), '{"action":"accept","content":{"a":"1","b":null,"c":true,"e":null,"f":[1,2]}}')
  assert.match(steps[0]?.prompt ?? "", /Tell me\. — Number: A-7$/)
  assert.deepEqual(steps[1]?.items?.map(({ label }) => label), ["1", '"1"', "Yes"])
  assert.deepEqual(steps[2]?.items?.map(({ label }) => label), ["s", "$(dash) Leave it empty"])
  assert.deepEqual(steps[3]?.items?.map(({ label }) => label), ["Yes"])
  assert.equal(steps[4]?.prompt, "d (optional) — Such as “x1”. The server wants it to match “^[x] (command:y) $ (flame)”.")
  assert.match(JSON.stringify(steps[4]), /Left empty: the server may use its default/)
  assert.deepEqual(steps[7]?.items?.filter(({ detail }) => detail).map(({ description }) => description), ['"1"', "left empty", "Yes", "left out: the server may use its default", "left empty", "1, 2"])
})

test("a form without fields, and declining", async () => {
  assert.equal(await answering("{}", [], acting("Yes").sheet), '{"action":"accept","content":{}}')
  assert.equal(await answering("{}", [], acting("Decline").sheet), '{"action":"decline"}')
  assert.equal(await answering('{"a":{"type":"string"}}', [], acting("Respond", "x", "Decline").sheet), '{"action":"decline"}')
})

test("arguments that no form can ask for are typed as JSON", async () => {
  const schema = '{"type":"object","properties":{"id":{"type":"integer"},"filter":{"type":"object"},"code":{"type":"string","pattern":"^a"}},"required":["id"]}'
  const offer = { method: /** @type {const} */ ("tools/call"), name: "t", title: "T", description: "", schema }
  const { sheet, steps } = acting("7", '{"a": 1.0}', "")
  assert.equal(await askArguments(engine, offer, sheet, new Map()), '{"name":"t","arguments":{"id":7,"filter":{"a": 1.0}}}')
  assert.match(steps[1]?.check("{a") ?? "", /must be a JSON object/)
  assert.equal(await askArguments(engine, offer, acting(BACK).sheet, new Map()), BACK)
})

test("results are text, as they came", () => {
  const tests = {
    "{}": "the result has no list of content, though the tool has run: here it is as JSON\n\n{}",
    '{"content":[{"type":"text","text":"Hello."}]}': "Hello.",
    '{"content":[{"type":"text","text":"{\\"n\\":1.0}"}],"structuredContent":{"n":1.0}}': '{\n  "n": 1.0\n}',
    '{"content":[]}': "It says nothing.",
    '{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}],"isError":true}': "The tool says that this is an error.\n\nNot shown here: image, image/png, 3 bytes",
    '{"messages":[{"role":"user","content":{"type":"text","text":"Do it."}}]}': "user:\nDo it.",
    '{"contents":[{"uri":"a://b","text":"x"}]}': "x",
    '{"contents":[{"uri":"a://b","text":"x"},{"uri":"a://c","blob":"AA=="}]}': "Resource a://b:\nx\n\nResource a://c:\nNot shown here: data, 1 bytes",
  }
  for (const [result, want] of Object.entries(tests)) {
    const method = result.includes('"messages"') ? "prompts/get" : result.includes('"contents"') ? "resources/read" : "tools/call"
    assert.equal(resultText(method, result), want)
  }
})

test("why a call ended is said with what can be done, and a server’s words are its own", () => {
  const failure = { detail: "it was not carried out: HTTP status 502", resumable: true }
  const { text, next } = told({ ...failure, code: 9, response: '{"code":-32000,"message":"[x](command:y)\\u001b"}' }, "Desk")
  assert.equal(text, "The server answered with an error. The server says: [x] (command:y)␛ (error -32000).")
  assert.equal(next.label, "Try Again")
  assert.equal(told({ ...failure, code: 11, inDoubt: true }, "Desk").next.label, "Send Again")
  assert.match(told({ ...failure, code: 11, status: 401 }, "Desk").text, /Desk wants to know who you are: sign in, or set its access token\./)
})

test("a tool that may run as a task can be chosen either way, and no other", () => {
  const tool = { method: /** @type {const} */ ("tools/call"), name: "build", title: "Build", description: "", schema: "{}" }
  const items = itemsOf([tool, { ...tool, title: "Rebuild", mayBeTask: true }])
  assert.deepEqual(
    items.map(({ label, offer }) => [label, offer.task]),
    [
      ["$(tools) Build", undefined],
      ["$(tools) Rebuild", undefined],
      ["$(tools) Rebuild (as a task)", true],
    ],
  )
})
