// Accounts, as far as no editor is needed for them.

import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test, { after } from "node:test"

import { PARK, ParkingStore } from "@parley-mcp/parley/core"

import { loopback } from "../../../hosts/js/dist/oauth/loopback-node.js"
import { authorizationServer, browse, protectedServer } from "../../../hosts/js/test/oauth-servers.js"
import { FileEntries } from "../src/entries.js"
import { folderOn } from "./folder.js"
import { outside, Uri } from "./vscode-stub.js"

/** @import { Question } from "@parley-mcp/parley" */

const { Accounts, accountStore, TOKEN, YES } = await import("../src/accounts.js")
const { Returns } = await import("../src/sign-in-return.js")
const { Tokens } = await import("../src/tokens.js")

const { signal } = new AbortController()
const wanted = { state: "a-state", signal }

const home = mkdtempSync(join(tmpdir(), "parley-accounts-"))
after(() => rmSync(home, { recursive: true }))
const newFolder = () => folderOn(mkdtempSync(join(home, "f-")))

/** As VS Code keeps them. */
function newSecrets() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  const secrets = {
    kept,
    get: async (/** @type {string} */ key) => kept.get(key),
    store: async (/** @type {string} */ key, /** @type {string} */ text) => void kept.set(key, text),
    delete: async (/** @type {string} */ key) => void kept.delete(key),
  }
  return /** @type {typeof secrets & import("vscode").SecretStorage} */ (/** @type {unknown} */ (secrets))
}

/** @param {string} text */
const uri = (text) => /** @type {import("vscode").Uri} */ (/** @type {unknown} */ (Uri.parse(text)))

test("the way back to a window in a browser", async () => {
  outside.of = (text) => text.replace("vscode://", "https://editor.example/callback?reqid=1&authority=")
  const returns = new Returns("a.b", { loopback })
  const callback = await returns.callback(wanted)
  assert.equal(callback.redirectUri, "https://editor.example/callback?reqid=1&authority=a.b/signed-in")
  /** @type {unknown} */
  let came
  callback.response.then((response) => (came = response))
  returns.handleUri(uri("vscode://a.b/signed-in?code=evil&state=another"))
  returns.handleUri(uri("vscode://a.b/signed-in?code=evil"))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(came, undefined, "a stranger changes nothing")
  returns.handleUri(uri("vscode://a.b/signed-in?code=c&state=a-state&iss=http%3A%2F%2Fa"))
  assert.equal(await callback.response, "?code=c&state=a-state&iss=http%3A%2F%2Fa")
})

test("the way back to a window on a desktop is a port, as it is called outside", async () => {
  outside.of = (text) => text.replace(/:\d+/, ":7")
  const callback = await new Returns("a.b", { loopback: (wanted) => loopback(wanted).then((here) => Object.assign(here, { port: new URL(here.redirectUri).port })) }).callback(wanted)
  assert.equal(callback.redirectUri, "http://127.0.0.1:7/callback")
  const { port } = /** @type {any} */ (callback)
  await (await fetch(`http://127.0.0.1:${port}/callback?code=c&state=a-state`)).text()
  assert.equal(new URL(String(await callback.response)).searchParams.get("code"), "c")
  callback.close?.(true)

  await assert.rejects(new Returns("a.b", {}).callback(wanted), { code: "callback" })
})

test("of two windows that want an account, one waits", async () => {
  const [secrets, folder] = [newSecrets(), newFolder()]
  const window = () => accountStore(secrets, new ParkingStore(new FileEntries(folder), { lease: 15_000 }))
  const [one, other] = [window(), window()]
  /** @type {string[]} */
  const order = []
  /** @type {(value?: unknown) => void} */
  let release = () => {}
  const first = one.lock?.("account http://k", async () => {
    order.push("first begins")
    await new Promise((resolve) => (release = resolve))
    await one.set("account http://k", "renewed")
    order.push("first ends")
  })
  while (!order.length) await new Promise((resolve) => setImmediate(resolve))
  const second = other.lock?.("account http://k", async () => order.push(`second sees ${await other.get("account http://k")}`))
  await other.lock?.("another", async () => order.push("another is free"))
  release()
  await Promise.all([first, second])
  assert.deepEqual(order, ["first begins", "another is free", "first ends", "second sees renewed"])
  assert.ok((await folder.names()).every((name) => !/account|http/.test(name)), "no name says whose")
})

test("an access token that was set comes before an account, until the person signs in", async () => {
  const secrets = newSecrets()
  const tokens = new Tokens(secrets)
  const server = { label: "A", address: "https://a.example/mcp", url: "https://a.example/mcp" }
  const question = /** @type {Question} */ ({ ask: -1, kind: "authorize", round: 1, repeat: false, params: '{"status":401,"scope":"x y"}' })
  const accounts = new Accounts({
    secrets,
    tokens,
    locks: new ParkingStore(new FileEntries(newFolder()), {}),
    callback: () => assert.fail("nobody signs in"),
    alone: () => () => assert.fail("there is a call"),
  })
  assert.equal(await accounts.authorization(server), undefined)
  await secrets.store("parley.token https://a.example/mcp", "t")
  assert.equal(await accounts.authorization(server), "Bearer t")
  assert.equal(await accounts.at(server)?.account(), undefined)
  /** @type {any[]} */
  const asked = []
  const answers = [PARK, TOKEN]
  const ask = (/** @type {any} */ { step }) => {
    asked.push(step.wanted)
    return /** @type {any} */ (answers.shift())
  }
  assert.equal(await accounts.at(server)?.authorize(question, { signal }, ask), PARK)
  assert.deepEqual(await accounts.at(server)?.authorize(question, { signal }, ask), {})
  assert.deepEqual(asked[0], { status: 401, error: undefined, scopes: ["x", "y"], host: "a.example", refused: true })
  assert.equal(accounts.at({ label: "P", address: "p", command: "p", args: [] }), undefined, "a program has its environment")
})

test("where the server has people sign in elsewhere than before, the person is asked, and the account replaces the one before", async (t) => {
  const [before, now] = [await authorizationServer(t), await authorizationServer(t)]
  const issuers = [before.origin]
  const { url } = await protectedServer(t, issuers)
  const server = { label: "A", address: url, url }
  const question = /** @type {Question} */ ({ ask: -1, kind: "authorize", round: 1, repeat: false, params: '{"status":401}' })
  const secrets = newSecrets()
  const accounts = new Accounts({ secrets, tokens: new Tokens(secrets), locks: new ParkingStore(new FileEntries(newFolder()), {}), callback: loopback, alone: () => () => assert.fail("there is a call") })
  /** @type {string[]} */
  const steps = []
  let agrees = false
  const ask = async (/** @type {any} */ { step }) => {
    steps.push(Object.keys(step)[0] ?? "")
    if (step.page) await browse(step.page.url)
    if (step.change && !agrees) throw new Error("not now")
    return /** @type {any} */ (step.page ? undefined : YES)
  }
  const signIn = async () => /** @type {any} */ (await accounts.at(server)?.authorize(question, { signal }, ask))
  const first = await signIn()
  issuers[0] = now.origin
  before.refreshes.clear()
  await accounts.authorization(server)
  await assert.rejects(signIn(), { message: "not now" })
  agrees = true
  const second = await signIn()
  assert.deepEqual([second.replaces, steps], [[first.account], ["wanted", "page", "wanted", "change", "wanted", "change", "page"]])
  assert.equal(/** @type {any} */ (await accounts.at(server)?.account()).label, second.account)
})
