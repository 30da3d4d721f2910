// Signing in, as one more question of a call.

import assert from "node:assert/strict"

import { patiently, until } from "./patience.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Person } from "./person.js" */
/** @import { Guards } from "./setting.js" */

const tools = '[{"name":"deploy","title":"Deploy","inputSchema":{"type":"object"}}]'
const deployed = { tools, answer: () => done("Deployed.") }

/** Everything is for who has signed in. @type {Guards} */
const everything = (may) => (may ? undefined : { status: 401, challenge: "Bearer" })

/** Opens the window by a button, and says yes or no there. @param {Person} person @param {string} [name] of the button @param {string} [says] */
async function goes(person, name = "Sign in", says = "Allow") {
  const window = await person.opens(name)
  await window.press(says)
  return window
}

/** Waits until a window has closed itself. @param {Person} window */
function closes(window) {
  return until(() => window.tab.evaluate(() => true, undefined).then(() => false, () => true), "the window to close")
}

/** No window opens any more. @param {Person} person */
function blocksWindows({ tab }) {
  return tab.inject("globalThis.open = () => null")
}

for (const isolated of [true, false]) {
  test(`a call asks to sign in, and goes on${isolated ? "" : ", where the authorization server does not isolate itself"}`, async () => {
    const { person, server, authorization } = await scene.withProtected(deployed, { isolated })
    await person.calls("Deploy")
    await person.sees(`Sign in to ${new URL(server.url).host}?`, "Deploy")
    await person.sees("It asks for read", "Deploy")
    const window = await person.opens("Sign in", "Deploy")
    await person.sees(`You sign in at ${authorization.host}`, "Deploy")
    await person.sees("Waiting for the window.", "Deploy")
    await window.press("Allow")
    await person.sees("Deployed.", "Deploy")
    await person.sees("You signed in", "Deploy")
    await closes(window)
    assert.equal(server.received.length, 1, "how often the tool ran")
    await person.calls("Deploy")
    await patiently(async () => assert.equal(await person.counts(".result"), 2))
    assert.equal(authorization.counts["redeemed"], 1, "who has signed in is not asked again")
  })
}

test("what a server offers is shown to who has signed in, by keyboard", async () => {
  const { person, authorization } = await scene.withProtected({ ...deployed, guards: everything })
  await person.sees("wants to know who you are")
  for (let presses = 0; presses < 20 && (await person.focus()) !== "Sign in"; presses++) await person.keys("Tab")
  const tab = await person.opensBy(() => person.keys("Enter"))
  await person.sees(`You sign in at ${authorization.host}`)
  await tab.press("Allow")
  await person.sees("Connected to")
  await person.calls("Deploy")
  await person.sees("Deployed.")
  assert.equal(authorization.counts["redeemed"], 1)
})

test("who says no there is told so, and can try again", async () => {
  const { person, authorization } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await goes(person, "Sign in", "Deny")
  await person.sees(`${authorization.host} did not allow it`, "Deploy")
  await person.sees('It says: “Ada is not in the group "Parley".”', "Deploy")
  await goes(person, "Try again")
  await person.sees("Deployed.", "Deploy")
})

test("a window that was closed is opened again, or given up", async () => {
  const { person } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  const window = await person.opens("Sign in")
  await person.sees("Was it closed? Open it again, or cancel.")
  await window.tab.close()
  await person.opens("Open it again")
  await person.press("Cancel")
  await person.press("Not now", "Deploy")
  await person.sees("It cannot continue without a sign-in", "Deploy")
  await person.sees("You chose not to sign in now.", "Deploy")
  await person.press("Sign in", "Deploy") // of what has failed
  await person.sees("wants to know who you are", "Deploy")
  await goes(person)
  await person.sees("Deployed.", "Deploy")
})

test("where the browser opens no window, the page itself goes there, and the call goes on when it is back", async () => {
  const { person, server, origin } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await person.sees("Sign in to")
  await blocksWindows(person)
  await person.tab.inject("const { open } = globalThis; let windows = 0; globalThis.open = (...about) => (++windows === 2 ? null : open(...about))") // one for a click
  await person.press("Sign in", "Deploy")
  await person.sees("Your browser did not let this page open a window.", "Deploy")
  await person.press("Continue in this window", "Deploy")
  await person.press("Deny")
  await person.sees("did not allow it", "Deploy")
  await blocksWindows(person)
  await person.press("Try again", "Deploy")
  await person.press("Continue in this window", "Deploy")
  await person.press("Allow")
  await person.sees("Deployed.", "Deploy")
  assert.equal(server.received.length, 1, "how often the tool ran")
  assert.deepEqual(await person.tab.evaluate(() => [location.href, Object.keys(sessionStorage)], undefined), [`${origin}/`, []])
})

test("more is asked for in the middle of a call: what was answered stays, and the tool runs once", async () => {
  let ran = 0
  /** @type {Guards} */
  const guards = (may, { method, params }) => {
    if (method !== "tools/call") return
    if (!may) return { status: 401, challenge: 'Bearer scope="read"' }
    if (params.inputResponses && !may.includes("write")) return { status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"' }
  }
  const { person, server } = await scene.withProtected({
    tools,
    guards,
    answer: ({ params }) => (params.inputResponses ? (ran++, done(`Deployed to ${params.inputResponses.k.content.place}.`)) : form("k", "Where to?", '{"place":{"type":"string","title":"Place"}}')),
  })
  await person.calls("Deploy")
  await goes(person)
  await person.answers({ Place: "Oslo" }, "Deploy")
  await person.sees("wants you to allow more", "Deploy")
  await person.sees("It asks for write", "Deploy")
  await goes(person)
  await person.sees("Deployed to Oslo.", "Deploy")
  await person.sees("You allowed more", "Deploy")
  assert.deepEqual([ran, server.received.length], [1, 2])
})

test("a call that is parked while it asks to sign in is finished after a reload", async () => {
  const { person, server } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await person.opens("Sign in")
  await person.sees("Waiting for the window.")
  await person.press("Park for later", "Deploy")
  await person.sees("wants you to sign in before it goes on", "Deploy")
  await person.reload()
  await person.press("Resume", "Deploy")
  await goes(person)
  await person.sees("Deployed.", "Deploy")
  assert.equal(server.received.length, 1)
})

test("a call that waits for a sign-in survives a reload", async () => {
  const { person } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await person.sees("Sign in to", "Deploy")
  await person.reload()
  await goes(person)
  await person.sees("Deployed.", "Deploy")
})

test("in another tab it says where to sign in", async () => {
  const { person } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await person.sees("Sign in to", "Deploy")
  const other = await person.second()
  await other.sees("Sign in in the tab that runs this call", "Deploy")
  await goes(person)
  await other.sees("Deployed.", "Deploy")
})

for (const revokes of [true, false]) {
  test(`signing out ${revokes ? "revokes what was kept" : "says that nothing could be revoked"}, and the next call asks`, async () => {
    const { person, authorization } = await scene.withProtected(deployed, { revokes })
    await person.calls("Deploy")
    await goes(person)
    await person.sees("Deployed.")
    await person.press("Signed in")
    await person.sees(`At ${authorization.host}`)
    await person.press("Sign out")
    await person.sees(revokes ? `${authorization.host} no longer accepts` : "did not say that it revoked it")
    assert.equal(authorization.counts["/revoke"], revokes ? 2 : undefined)
    await person.press("Close")
    await person.calls("Deploy")
    await person.sees("Sign in to", "Deploy")
  })
}

test("a token that has ended is renewed, and nobody is asked", async () => {
  const { person, authorization } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Deployed.")
  authorization.expire()
  await person.calls("Deploy")
  await patiently(async () => assert.equal(await person.counts(".result"), 2))
  assert.deepEqual([authorization.counts["redeemed"], authorization.counts["refreshed"]], [1, 1])
  authorization.revoke()
  await person.calls("Deploy")
  await person.sees("Sign in to")
})

test("what was allowed is taken back: the next call asks, and says why", async () => {
  const { person, authorization } = await scene.withProtected(deployed)
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Deployed.")
  authorization.revoke()
  await person.calls("Deploy")
  await person.sees("Sign in to")
  await person.sees("and says “what was allowed was taken back”")
  await goes(person)
  await patiently(async () => assert.equal(await person.counts(".result"), 2))
})

test("offline_access is refused: one more window, without it; and tokens are not revoked, with the reason", async () => {
  const { person, authorization } = await scene.withProtected(deployed, { refuses: true })
  await person.calls("Deploy")
  await person.tab.inject("const { open } = globalThis; let windows = 0; globalThis.open = (...about) => (++windows === 2 ? null : open(...about))") // one for a click
  await person.press("Sign in", "Deploy")
  await person.sees("Your browser did not let this page open a window.", "Deploy")
  await goes(person, "Open the window")
  await person.sees("Deployed.", "Deploy")
  assert.deepEqual([authorization.counts["/authorize"], authorization.counts["/register"]], [2, 1])
  await person.press("Signed in")
  await person.press("Sign out")
  await person.sees("did not say that it revoked it")
  await person.sees("and says “come back at noon”")
})

test("an account outlasts the page only by choice, and then no longer than that", async () => {
  const { person, authorization } = await scene.withProtected(deployed)
  const kept = async () => authorization.secrets.some((secret) => secret.startsWith("access") && JSON.stringify(everythingKept).includes(secret))
  /** @type {unknown} */
  let everythingKept
  const look = async () => ((everythingKept = await person.tab.evaluate(databases, undefined)), kept())
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Deployed.")
  assert.equal(await look(), false, "in memory")
  await person.press("Signed in")
  await person.fill({ "/^Stay signed in/": true })
  await patiently(async () => assert.equal(await look(), true))
  await person.reload()
  await person.calls("Deploy")
  await patiently(async () => assert.equal(await person.counts(".result"), 2))
  assert.equal(authorization.counts["redeemed"], 1, "after a reload")
  await person.press("Signed in")
  await person.fill({ "/^Stay signed in/": false })
  await patiently(async () => assert.equal(await look(), false))
  await person.press("Close")
  await person.calls("Deploy")
  await patiently(async () => assert.equal(await person.counts(".result"), 3))
  assert.equal(authorization.counts["redeemed"], 1, "it is in memory again")
})

test("no secret is where it could be read later", async () => {
  const { person, authorization, origin } = await scene.withProtected({ tools, answer: ({ params }) => (params.inputResponses ? done("Deployed.") : form("k", "Sure?", "{}")) })
  await person.tab.inject(`globalThis.printed = []; for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = (...what) => printed.push(what.map(String).join(" "))`)
  await person.calls("Deploy")
  await goes(person, "Sign in", "Deny")
  await goes(person, "Try again")
  await person.sees("Sure?")
  await person.press("Park for later", "Deploy")
  await person.sees("Everything is kept in this browser", "Deploy")
  assert.equal(authorization.secrets.length, 6, "two states, a code, a verifier and two tokens")
  const shown = () => [{ ...localStorage }, { ...sessionStorage }, location.href, history.state, /** @type {any} */ (globalThis).printed, document.documentElement.outerHTML]
  const text = JSON.stringify([await person.tab.evaluate(databases, undefined), await person.tab.evaluate(shown, undefined)])
  assert.match(text, /parley-chat-accounts/, "there is something to look at")
  assert.match(text, /Sure\?/, "a snapshot")
  for (const secret of authorization.secrets) assert.ok(!text.includes(secret), `a ${secret.split("-")[0]}`)
  assert.equal(await person.tab.evaluate(() => location.href, undefined), `${origin}/`)
})

/** Runs in the page: all that is in its databases. */
async function databases() {
  const settled = (/** @type {IDBRequest} */ request) => new Promise((resolve, reject) => ((request.onsuccess = () => resolve(request.result)), (request.onerror = () => reject(request.error))))
  /** @type {Record<string, unknown>} */
  const all = {}
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name))
    for (const store of database.objectStoreNames) all[`${name} ${store}`] = await settled(database.transaction(store).objectStore(store).getAll())
    database.close()
  }
  return all
}

test("a challenge that the page may not read: 401 is enough, 403 names the header", async () => {
  /** @type {Guards} */
  const guards = (may, { method }) => (method !== "tools/call" ? undefined : may ? { status: 403, challenge: 'Bearer error="insufficient_scope", scope="write"', hidden: true } : { status: 401, challenge: 'Bearer scope="odd"', hidden: true })
  const { person } = await scene.withProtected({ ...deployed, guards })
  await person.calls("Deploy")
  await person.sees("It does not say what for.", "Deploy")
  const window = await person.opens("Sign in")
  await person.sees("It asks for read", "Deploy") // as its metadata says
  await window.press("Allow")
  await person.sees("Desk answered with HTTP status 403", "Deploy")
  await person.sees("Access-Control-Expose-Headers: WWW-Authenticate", "Deploy")
})

test("an authorization server that pages may not read, or that this page may not talk to, is told apart", async () => {
  const closed = await scene.withProtected(deployed, { cors: false })
  await closed.person.calls("Deploy")
  await closed.person.press("Sign in")
  await closed.person.sees(`${closed.authorization.host} cannot be reached, or does not let ${closed.origin} read its answers (CORS)`, "Deploy")
  const unknown = await scene.withProtected(deployed, { unknown: true })
  await unknown.person.calls("Deploy")
  await unknown.person.press("Sign in")
  await unknown.person.sees(`This page may not send anything to ${unknown.authorization.host}`, "Deploy")
  assert.match((await scene.browser.errors()).join(), /Content Security Policy/)
})

test("a server that wants a sign-in and does not say where is told of, and the call is kept", async () => {
  const { person, server } = await scene.withScript({ tools, answer: (_, n) => (n ? done("Deployed.") : { status: 401 }) })
  await person.calls("Deploy")
  await person.press("Sign in", "Deploy")
  await person.sees(`${new URL(server.url).host} does not say where to sign in`, "Deploy")
  await person.press("Not now", "Deploy")
  await person.sees("It cannot continue without a sign-in", "Deploy")
  await person.press("Sign in", "Deploy")
  await person.sees("Deployed.", "Deploy")
})

test("where the server has people sign in elsewhere than before, the person agrees first, and the call continues with the new account", async () => {
  const { person, server, authorization } = await scene.withProtected({ tools, answer: (_, n) => (n ? done("Deployed.") : form("k", "Sure?", "{}")) })
  const before = authorization.host
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Sure?", "Deploy")
  await person.press("Park for later", "Deploy")
  authorization.move()
  await person.press("Resume")
  await person.press("Yes")
  await closes(await person.opens("Sign in", "Deploy"))
  await person.sees(`Desk has people sign in at ${authorization.host} now, no longer at ${before}. If you sign in there, what you began with the old account continues with the new one.`, "Deploy")
  assert.equal(authorization.counts["/authorize"], 1, "no page was opened before the person agreed")
  await goes(person)
  await person.sees("Deployed.", "Deploy")
  assert.equal(server.received.length, 2, "how often the tool was called")
})

test("a parked call of another account is not resumed", async () => {
  const { person } = await scene.withProtected({ tools, answer: () => form("k", "Sure?", "{}") })
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Sure?")
  await person.press("Park for later", "Deploy")
  await person.press("Signed in")
  await person.press("Sign out")
  await person.press("Close")
  await person.calls("Deploy")
  await goes(person)
  await person.sees("Sure?", "Deploy")
  await person.press("Resume")
  await person.sees("What was kept is of another server or account")
  await person.sees("This call was made with another account at Desk than the one that is signed in there now")
})
