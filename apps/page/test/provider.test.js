// Signing in at oidc-provider, to a server on the official SDK: neither is ours.

import assert from "node:assert/strict"

import { patiently } from "./patience.js"
import { scene, test } from "./setting.js"

/** @import { Person } from "./person.js" */

/** Goes through the pages of the authorization server, as far as there are any. @param {Person} person */
async function signsIn(person) {
  const { tab } = await person.opens("Sign in")
  for (let last = ""; ; ) {
    const at = await patiently(async () => {
      try {
        const now = await tab.evaluate(() => ({ path: location.href, prompt: document.querySelector('input[name="prompt"]')?.getAttribute("value") }), undefined)
        assert.ok(now.prompt && now.path !== last)
        return now
      } catch (error) {
        if (!/has been closed/.test(String(error))) throw error // it is on its way to the next page
      }
    })
    if (!at) return // it has closed itself
    last = at.path
    if (at.prompt === "login") {
      await tab.fill('input[name="login"]', "ada")
      await tab.fill('input[name="password"]', "any word will do")
    }
    await tab.click('button[type="submit"]')
  }
}

test("a call is signed in for, is asked something, is allowed more, and the tool runs once", async () => {
  const { person, server, authorization } = await scene.withProvider()
  await signsIn(person)
  await person.sees("Connected to")
  await person.calls("deploy")
  await person.answers({ "/.*/": "Oslo" }, "deploy")
  await person.sees("wants you to allow more", "deploy")
  await signsIn(person)
  await person.sees("deploy by ada: Oslo", "deploy")
  const { counts } = await server.seen()
  assert.deepEqual([counts["deploy ran"], counts["queries"]], [1, undefined])
  authorization.expire()
  await person.calls("look")
  await person.sees("look by ada", "look")
  assert.equal(authorization.ledger.counts["refresh_token granted"], 1, "whoever asks for offline_access is not asked again")
  await person.press("Signed in")
  await person.press("Sign out")
  await person.sees("no longer accepts what was kept here")
  const stored = await person.tab.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]), undefined)
  const secrets = authorization.ledger.secrets()
  assert.ok(secrets.length > 5)
  for (const secret of secrets) assert.ok(!stored.includes(secret))
})
