// Calls in a store that others have, too, at a real Redis.

import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test, { after } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { connect, fetchTransport, PARK, ParkingStore } from "@parley-mcp/parley/core"
import { compileCodec, Context, newKey } from "@parley-mcp/parley/codec"
import { load } from "@parley-mcp/parley/inline"

import { start } from "../../../hosts/js/redis/server.js"
import { startServer } from "../../page/serve.mjs"
import { FileEntries } from "../src/entries.js"
import { folderPlace } from "../src/place.js"
import { sharedPlace } from "../src/shared-place.js"
import { readStoreURL, withoutPassword } from "../src/store-url.js"
import { Vault } from "../src/vault.js"
import { folderOn } from "./folder.js"
import * as editor from "./vscode-stub.js"

/** @import { Question } from "@parley-mcp/parley" */
/** @import { Host } from "../src/drive.js" */
/** @import { Place } from "../src/place.js" */

const { Calls } = await import("../src/calls.js")
const { allowed } = await import("../src/settings.js")
const built = (/** @type {string} */ name) => fileURLToPath(new URL(`.built/${name}`, import.meta.url))
const engine = await load()
const codec = await compileCodec()
const folder = mkdtempSync(join(tmpdir(), "parley-vscode-store-"))
after(() => rmSync(folder, { recursive: true }))
const keyFile = join(folder, "keys")
writeFileSync(keyFile, newKey(), { mode: 0o600 })

const server = await startServer(built("go-server"), ["-addr", "127.0.0.1:0"])
after(server.stop)
const desk = { label: "Desk", address: server.url, url: server.url }
const weather = { method: "tools/call", params: '{"name":"get_weather","arguments":{"location":"Oslo"}}', title: "Weather" }

/** The calls of a window, whose person answers so. @param {Place} place @param {(question: Question) => any} answer */
function windowAt(place, answer) {
  const session = connect(engine, fetchTransport(server.url))
  /** @type {string[]} */
  const shown = []
  const calls = new Calls(
    /** @type {Host} */ (
      /** @type {unknown} */ ({
        engine,
        sessions: { askers: allowed, signingIn: () => ({}), account: () => undefined, call: (/** @type {unknown} */ _, /** @type {(one: unknown) => unknown} */ work) => work(session) },
        desk: { ask: async (/** @type {unknown} */ _, /** @type {Question} */ question) => answer(question) },
        results: { show: async (/** @type {unknown} */ _, /** @type {string} */ result) => void shown.push(result) },
        log: { note() {} },
        trouble: (/** @type {string} */ what, /** @type {unknown} */ error) => assert.fail(`${what}: ${error}`),
      })
    ),
    place,
  )
  const leave = async () => {
    await calls.leave()
    await session.close()
  }
  return { calls, shown, leave }
}

/** @param {string} url @param {string} [password] */
const shared = (url, password) => sharedPlace({ url, password, keyFile, codec, folder: folderOn })

/** Runs the program in a terminal. @param {string} url @param {string[]} args */
async function parley(url, ...args) {
  const env = { ...process.env, PARLEY_STORE: url, PARLEY_SNAPSHOT_KEY_FILE: keyFile, XDG_STATE_HOME: folder }
  const { stdout, stderr } = await promisify(execFile)(built("parley"), args, { env }).catch((failed) => failed)
  return { stdout, stderr }
}

test("a URL names a store, and what is wrong with one is said without it", () => {
  assert.deepEqual(readStoreURL("file:/calls"), { dir: "/calls" })
  assert.deepEqual(readStoreURL("rediss://u@x/2?prefix=p&wait=1").redis, { url: "rediss://u@x/2", prefix: "p", wait: 1, evictionChecked: false })
  for (const [url, says] of Object.entries({
    "postgres://u:hunter2@x/db": /keeps no calls in Postgres.*parley store move/,
    "postgresql://u:hunter2@x/db": /Postgres/,
    "file:calls": /whole path/,
    "file://hunter2/calls": /whole path/,
    "/hunter2": /file:DIR, or redis/,
    "mysql://u:hunter2@x": /file:DIR, or redis/,
    "redis://u:hunter2@x?addr=y": /clusters/,
    "redis://u:hunter2@x/y": /number of a database/,
  })) {
    assert.throws(() => readStoreURL(url), (/** @type {Error} */ { message }) => says.test(message) && !message.includes("hunter2"), url)
  }
  assert.equal(withoutPassword("redis://u@x"), "redis://u@x")
  assert.throws(() => withoutPassword("redis://:hunter2@x"), (/** @type {Error} */ { message }) => /Set the Password/.test(message) && !message.includes("hunter2"))
})

test("what was parked here is resumed in a terminal, and the other way round", async (t) => {
  const redis = await start()
  t.after(() => redis.stop())
  const here = windowAt(await shared(redis.url), ({ params }) => (/units/.test(params ?? "") ? PARK : assert.fail(params)))
  t.after(here.leave)
  await here.calls.start(desk, weather)
  const [{ id = "", phase, record } = {}] = here.calls.list()
  assert.deepEqual([phase, record?.title, record?.server, record?.open.length], ["kept", "Weather", "Desk", 1])
  assert.match(record?.open[0]?.says ?? "", /Which units/)
  assert.match((await parley(redis.url, "parked")).stdout, new RegExp(`^${id}  .*Desk  tools/call  tool get_weather  1 question open\\n$`))
  for (const key of (await redis.command("KEYS", "*")).match(/parley:\S*call:\S+/g) ?? assert.fail("nothing is kept")) {
    assert.doesNotMatch(await redis.command("HGETALL", key), /Oslo|get_weather|Desk|units/, "what is kept is sealed")
  }
  const script = join(folder, "answers.json")
  writeFileSync(script, '{"answers":[{"key":"units","action":"decline"}]}')
  const resumed = await parley(redis.url, "resume", id, "--script", script)
  assert.match(resumed.stdout, /^Oslo: 18 °C/, resumed.stderr)
  await here.calls.refresh()
  assert.deepEqual(here.calls.list(), [])

  writeFileSync(script, '{"answers":[]}') // it is kept then
  const parked = await parley(redis.url, "call", server.url, "get_weather", "location=Oslo", "--label", "In a terminal", "--script", script)
  const [, theirs = ""] = /parley resume (\S+)/.exec(parked.stderr + parked.stdout) ?? []
  assert.notEqual(theirs, "", parked.stderr)
  const there = windowAt(await shared(redis.url), () => '{"action":"accept","content":{"units":"imperial"}}')
  t.after(there.leave)
  await there.calls.refresh()
  assert.deepEqual(
    there.calls.list().map(({ id, phase, record }) => [id, phase, record?.server, record?.address, record?.title, record?.open.length]),
    [[theirs, "kept", "In a terminal", server.url, "get_weather", 1]],
  )
  await there.calls.goOn(theirs, desk)
  assert.match(there.shown.join(), /Oslo: 64 °F/)
  assert.deepEqual([there.calls.list(), (await parley(redis.url, "parked")).stdout], [[], ""])
})

test("what a terminal has kept beside a snapshot stays, when a window keeps the call anew", async (t) => {
  const redis = await start()
  t.after(() => redis.stop())
  const place = await shared(redis.url)
  const lease = await place.store.create("a")
  const here = windowAt(place, () => PARK)
  t.after(here.leave)
  await here.calls.start(desk, weather)
  const [{ id = "" } = {}] = here.calls.list()
  const { lease: held, snapshot } = await place.store.take(id)
  await lease.save(snapshot.replace('"label":', '"sampleModel":"m","roots":[{"uri":"file:///x"}],"label":'), { label: "Desk" })
  await lease.release()
  await held.done()
  await here.calls.goOn("a", desk)
  const again = await place.store.take("a")
  assert.match(again.snapshot, /^\{"parley":"parked","url":"[^"]+","sampleModel":"m","roots":\[\{"uri":"file:\/\/\/x"\}\],"label":"Desk","snapshot":\{/)
  await again.lease.release()
})

test("a password is asked for, and stands in no error", async (t) => {
  const redis = await start()
  t.after(() => redis.stop())
  await redis.command("CONFIG", "SET", "requirepass", "hunter2")
  for (const password of [undefined, "hunter3"]) {
    await assert.rejects(shared(redis.url, password), (/** @type {Error} */ { message }) => /NOAUTH|WRONGPASS/.test(message) && /Set the Password/.test(message) && !/hunter/.test(message))
  }
  const place = await shared(redis.url, "hunter2")
  for await (const _ of place.store.list()) assert.fail("nothing is kept")
  place.close()
})

test("a server that is not there, a key file that is not, and one that others may read", async () => {
  await assert.rejects(shared("redis://127.0.0.1:1"), /ECONNREFUSED/)
  const at = (/** @type {string | undefined} */ keyFile) => sharedPlace({ url: "redis://127.0.0.1:1", keyFile, codec, folder: folderOn })
  await assert.rejects(at(undefined), /parley.keyFile/)
  await assert.rejects(at(join(folder, "none")), /there is no key file .*parley token new-key/)
  const open = join(folder, "open")
  writeFileSync(open, newKey(), { mode: 0o644 })
  await assert.rejects(at(open), /chmod 600/)
})

test("a directory of the person's own, and not one of another layout", async () => {
  const dir = join(folder, "calls")
  const here = windowAt(await shared(`file:${dir}`), () => PARK)
  await here.calls.start(desk, weather)
  await here.leave()
  const there = windowAt(await shared(`file:${dir}`), () => '{"action":"decline"}')
  await there.calls.refresh()
  const [{ id = "" } = {}] = there.calls.list()
  await there.calls.goOn(id, desk)
  assert.match(there.shown.join(), /Oslo: 18 °C/)
  await there.leave()

  mkdirSync(join(folder, "theirs", "abc.call"), { recursive: true })
  await assert.rejects(shared(`file:${join(folder, "theirs")}`), /programs in Go.*parley store move/)
  mkdirSync(join(folder, "everybodys"))
  chmodSync(join(folder, "everybodys"), 0o777)
  await assert.rejects(shared(`file:${join(folder, "everybodys")}`), /yours alone/)
})

test("a call that an earlier version kept is listed, resumed, and kept as others are", async () => {
  const vault = new Vault(codec, new TextDecoder().decode(newKey()))
  const home = mkdtempSync(join(folder, "home-"))
  const place = folderPlace(new FileEntries(folderOn(home)), vault.box, (id, sealed) => vault.openEarlier(id, sealed))
  const first = windowAt(place, () => PARK)
  await first.calls.start(desk, weather)
  const [{ id = "", record } = {}] = first.calls.list()
  const { lease, snapshot } = await place.store.take(id)
  await lease.done()
  const earlier = JSON.stringify({ record: { ...record, id: "a" }, snapshot: JSON.stringify(JSON.parse(snapshot).snapshot) })
  const seal = (/** @type {string} */ id, /** @type {string} */ text) => Buffer.from(vault.box.seal(new TextEncoder().encode(text), Context.snapshot + id)).toString("base64")
  await new ParkingStore(new FileEntries(folderOn(home)), { seal }).put("a", earlier)

  await first.calls.refresh()
  assert.deepEqual(
    first.calls.list().map(({ id, phase, record }) => [id, phase, record?.title, record?.open.length]),
    [["a", "kept", "Weather", 1]],
  )
  await first.calls.goOn("a", desk)
  assert.deepEqual(first.calls.list().map(({ phase, record }) => [phase, record?.title]), [["kept", "Weather"]])
  assert.match(readFileSync(join(home, "a.json"), "utf8"), /"v":1/)
  await first.leave()
  vault.close()
  assert.equal(engine.live, 0)
  assert.deepEqual(editor.told, [])
})
