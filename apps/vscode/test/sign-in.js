// Signing in: in the middle of what a person does, by a browser that shows the
// authorization server's own pages and comes back to the window.

import assert from "node:assert/strict"
import { before } from "node:test"

import { assertNoSecrets, processArguments } from "../../../tests/signin/secrets.js"
import { inVSCode } from "./scene.js"

/** @import { Page } from "playwright-core" */
/** @import { Scene } from "./scene.js" */
/** @import { Person } from "./workbench.js" */

/** @param {() => Scene} scene */
export function signingIn(scene) {
  before(() => scene().closeWindows()) // they may still have other settings

  inVSCode(scene, "a sign-in for a list, more in the middle of a call, and nothing after a reload", async (open) => {
    const person = await open()
    await nobodyIsSignedIn(scene(), person)
    const { seen } = scene().vault
    const { ledger } = scene().authorization
    const before = await counts()

    await person.beginsToCall()
    await person.picks("Vault")
    await person.reads(`Sign in to ${scene().vault.host}? Vault wants to know who you are. It asks for: work.`)
    await person.photographs("sign-in")
    await person.picks("Sign in")
    await signsIn(scene(), person)
    await person.reads("What Vault offers")
    await person.finds("deploy")
    await names(person, "the moon")

    await person.reads(`Sign in to ${scene().vault.host}? You are signed in, but for this Vault wants you to allow more. It asks for: work, deploy.`)
    await person.seesWaiting(1)
    await person.picks("Sign in")
    await signsIn(scene(), person)
    await person.seesDocument("deploy by alice: the moon")
    assert.deepEqual(await counts(), before.map((n) => n + 1), "it ran once, and was asked once")

    await person.reload()
    const authorizations = ledger.counts.authorizations
    await person.calls("Vault", "look")
    await person.seesDocument("look by alice")
    await person.beginsToCall()
    await person.listed(`Signed in at ${new URL(scene().authorization.issuer).host}`)
    await person.photographs("accounts")
    await person.presses("Escape")
    assert.equal(ledger.counts.authorizations, authorizations, "nobody was sent to the browser again")

    async function counts() {
      const { counts } = await seen()
      return ["deploy ran", "deploy asked for target", "403 forbidden"].map((what) => counts[what] ?? 0)
    }
  })

  inVSCode(scene, "not now, and no at the authorization server", async (open) => {
    const person = await open()
    await nobodyIsSignedIn(scene(), person)
    await person.beginsToCall()
    await person.picks("Vault")
    await person.reads("Sign in to")
    await person.picks("Not now")
    await person.isLeftAlone()

    await person.beginsToCall()
    await person.picks("Vault")
    await person.reads("Sign in to")
    await person.picks("Sign in")
    const page = await opens(scene(), person)
    await page.click("text=Cancel")
    await page.getByText("You can close this page now").waitFor()
    await page.close()
    const said = person.notification("did not allow it: it was declined there")
    await said.waitFor()
    await person.photographs("sign-in-denied")
    await person.isLeftAlone()
  })

  inVSCode(scene, "a call that is parked while it wants a sign-in, and resumed after a reload", async (open) => {
    const person = await open()
    await nobodyIsSignedIn(scene(), person)
    const before = (await scene().vault.seen()).counts["deploy ran"] ?? 0
    await person.beginsToCall()
    await person.picks("Vault")
    await person.reads("Sign in to")
    await person.picks("Sign in")
    await signsIn(scene(), person)
    await person.reads("What Vault offers")
    await person.finds("deploy")
    await names(person, "mars")
    await person.reads("You are signed in, but for this Vault wants you to allow more.")
    await person.picks("Park for later")
    await person.reload()
    await person.seesWaiting(1)
    await person.opensCalls()
    await person.goesOn("Sign in to", "You are signed in, but for this Vault wants you to allow more.")
    await person.picks("Sign in")
    const page = await opens(scene(), person)
    await person.reads("It continues here by itself.")
    await person.photographs("sign-in-waits")
    await scene().consents(page)
    await person.seesDocument("deploy by alice: mars")
    await person.seesWaiting(0)
    assert.equal((await scene().vault.seen()).counts["deploy ran"], before + 1)
  })

  inVSCode(scene, "signing out revokes, and a token that ended is renewed without anybody", async (open) => {
    const person = await open()
    await nobodyIsSignedIn(scene(), person)
    await person.runs("Parley: Sign In")
    await person.reads("The servers of your settings")
    await person.picks("Vault")
    await signsIn(scene(), person)
    await person.notification("You signed in at").waitFor()
    const { ledger, expire } = scene().authorization
    const { authorizations, revocations = 0 } = ledger.counts
    expire()
    await person.calls("Vault", "look")
    await person.seesDocument("look by alice")
    assert.equal(ledger.counts.authorizations, authorizations)

    await person.runs("Parley: Sign Out")
    await person.reads("The servers of your settings")
    await person.picks("Vault")
    await person.notification("no longer accepts what was kept here").waitFor()
    assert.ok((ledger.counts.revocations ?? 0) > revocations)
    await person.beginsToCall()
    await person.picks("Vault")
    await person.reads("Sign in to")
    await person.presses("Escape")
    await person.isLeftAlone()
  })
}

/** @param {() => Scene} scene */
export function signingInFromWorker(scene) {
  inVSCode(scene, "a sign-in from the worker, whose address is opened by hand", async (open) => {
    const person = await open()
    const { host } = new URL(scene().near.issuer)
    await person.context.grantPermissions(["clipboard-read", "clipboard-write"])
    await person.beginsToCall()
    await person.picks("Near")
    await person.reads("Sign in to")
    await person.picks("Sign in")
    await person.reads(`You sign in at ${host}`)
    await person.picks("Copy the address")
    await person.reads("It continues here by itself.")
    const page = await person.context.newPage()
    await page.goto(await person.page.evaluate(() => navigator.clipboard.readText()))
    await scene().consents(page)
    await person.reads("What Near offers")
    await person.finds("look")
    await person.seesDocument("look by alice")
  })
}

/** No secret of any sign-in is where it does not belong. @param {() => Scene} scene */
export function keepsSecrets(scene) {
  const { authorization, near, editor } = scene()
  const texts = { "what the editor printed": editor.log(), ...processArguments() }
  const searched = assertNoSecrets([...authorization.ledger.secrets(), ...near.ledger.secrets()], { folders: [editor.data], texts })
  assert.ok(searched.secrets > 10 && searched.places > 10, JSON.stringify(searched))
}

/** @param {Scene} scene @param {Person} person */
async function nobodyIsSignedIn(scene, person) {
  await person.runs("Parley: Sign Out")
  await person.reads("The servers of your settings")
  await person.picks("Vault")
  await person.notification(/no longer accepts what was kept here|You are not signed in/).waitFor()
  await person.runs("Notifications: Clear All Notifications")
  await scene.forgetsEverybody()
}

/** Sees where it leads, and signs in there. @param {Scene} scene @param {Person} person */
async function signsIn(scene, person) {
  await scene.consents(await opens(scene, person))
}

/** @param {Scene} scene @param {Person} person @returns {Promise<Page>} */
async function opens(scene, person) {
  const { host } = new URL(scene.authorization.issuer)
  await person.reads(`You sign in at ${host}`)
  await person.photographs("sign-in-where")
  const isIt = (/** @type {Page} */ page) => page.waitForURL(`http://${host}/**`).then(() => true, () => false)
  const opened = person.context.waitForEvent("page", isIt)
  await person.picks(`Open ${host}`)
  await person.clicks(person.dialog("Do you want code-server to open the external website?"), "Open") // VS Code asks as well
  return opened
}

/** Says where to. @param {Person} person @param {string} target */
async function names(person, target) {
  await person.reads("Vault asks: Where to?")
  await person.picks("Respond")
  await person.reads("target")
  await person.types(target)
  await person.presses("Enter")
  await person.reads("This is what Vault gets.")
  await person.picks("Send to Vault")
}
