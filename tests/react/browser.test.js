// Hooks and forms in a page, in StrictMode, used as a person does.
import assert from "node:assert/strict"
import { createRequire } from "node:module"
import test from "node:test"

import { bundle, reacts } from "./bundle.js"
import { complaints, launch, serve } from "./chromium.js"

/** @import { Page } from "playwright-core" */
/** @import { Told } from "./page.jsx" */

/** @type {Record<string, string>} */
const scripts = { "/app.js": await bundle("./", "app.js", "browser", "iife") }
for (const [version, folder] of reacts) scripts[`/${version}.js`] = await bundle(folder, "page.jsx", "browser")
const [browser, site] = [await launch(), await serve(scripts)]
test.after(async () => {
  site.close()
  await browser.close()
})

/** What the page tells of itself. @template T @param {Page} page @param {(told: Told) => T} ask */
const told = (page, ask) => /** @type {Promise<Awaited<T>>} */ (page.evaluate(`(${ask})(window.told)`))

for (const [version] of reacts) {
  /** @param {string} name @param {string} settings @param {(page: Page) => Promise<unknown>} use */
  const inPage = (name, settings, use) =>
    test(`React ${version}: ${name}`, async (t) => {
      const page = await browser.newPage()
      t.after(() => page.close())
      const said = complaints(page)
      await page.goto(`${site.origin}/?script=/${version}.js&${settings}`)
      await page.waitForFunction("window.told")
      assert.equal((await told(page, ({ version }) => version)).split(".")[0], version)
      await use(page)
      await told(page, ({ unmount }) => unmount())
      assert.equal(await told(page, ({ listening }) => listening()), 0, "components that still listen")
      assert.equal(await told(page, ({ close }) => close()), 0, "what the engine holds")
      assert.deepEqual(said, [])
    })

  inPage("a form is right by keyboard alone, and says what is wrong", "", async (page) => {
    await page.getByRole("button", { name: "Call" }).press("Enter")
    const name = page.getByLabel("Your <b>name</b>")
    assert.equal(await name.getAttribute("aria-invalid"), null)
    await name.focus()
    await page.keyboard.type("A")
    assert.equal(await page.getByRole("alert").filter({ hasText: "Your" }).count(), 0, "while the person types")
    await page.keyboard.press("Tab")
    await page.getByRole("alert").filter({ hasText: "Your <b>name</b>" }).waitFor()
    assert.equal(await name.getAttribute("aria-invalid"), "true")
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("End")
    await page.keyboard.type("nn")
    assert.equal(await name.getAttribute("aria-invalid"), null, "at once")
    await page.keyboard.press("Enter")
    // Sure is still wanted: its first choice has the focus.
    const yes = page.getByRole("radio", { name: "Yes" })
    assert.ok(await yes.evaluate((element) => element === document.activeElement), "the focus")
    assert.equal(await yes.getAttribute("aria-invalid"), "true")
    assert.equal((await told(page, ({ got }) => got)).answers.length, 0)
    await page.keyboard.press("Space")
    assert.equal(await yes.getAttribute("aria-invalid"), null)
    await page.getByRole("checkbox", { name: "c" }).press("Space")
    await page.getByLabel("Size").selectOption({ label: "Small" })
    await name.press("Enter")
    await page.locator("li", { hasText: "done Done." }).waitFor()
    const { answers } = await told(page, ({ got }) => got)
    assert.equal(answers.length, 1)
    assert.match(answers[0] ?? "", /"content":\{"name":"Ann","price":1\.50,"sure":true,"size":"s","tags":\["b","c"\]\}/)
    await page.getByRole("button", { name: "Discard" }).click()
    await page.locator("li").waitFor({ state: "detached" })
  })

  inPage("names, descriptions and roles are there for everybody", "", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByLabel("Your <b>name</b>").and(page.locator("[aria-invalid]")).waitFor()
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
    assert.deepEqual(await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"), [])
    const described = await page.getByLabel("Your <b>name</b>").evaluate((input) => input.getAttribute("aria-describedby")?.split(" ").map((id) => document.getElementById(id)?.textContent))
    assert.equal(described?.[0], "As on the badge")
    assert.match(described?.[1] ?? "", /^Your <b>name<\/b> ./)
    assert.equal(await page.locator("b").count(), 0, "what the server says is text")
    await page.getByRole("button", { name: "Decline" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
  })

  inPage("the forms that SDKs make, by keyboard", "made", async (page) => {
    await page.getByRole("button", { name: "Call" }).press("Enter")
    await page.getByText("Number: A-7").waitFor()
    await page.getByText("The server checks more: minProperties.").waitFor()
    await page.getByText("The server wants it to match “^x”.").waitFor()
    await page.getByRole("button", { name: "Add to Tags" }).press("Enter")
    await page.getByLabel("Tags, value 3").fill("b")
    await page.getByRole("button", { name: "Remove value 1" }).press("Enter")
    await page.getByRole("radio", { name: "A number" }).press("Space")
    await page.getByLabel("Price, value").fill("0")
    await page.getByLabel("Price, value").press("Enter")
    await page.getByRole("alert").filter({ hasText: "Tags must have values that fit: each must be at least 2 characters." }).waitFor()
    await page.getByRole("alert").filter({ hasText: "Price must be more than 0." }).waitFor()
    await page.getByRole("alert").filter({ hasText: "Sure must be filled in." }).waitFor()
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
    assert.deepEqual(await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"), [])
    await page.getByLabel("Tags, value 2").fill("blue")
    await page.getByRole("radio", { name: "Text" }).press("Space")
    await page.getByLabel("Price, value").fill("007")
    await page.getByLabel("Size").selectOption({ label: '"1"' })
    await page.getByLabel("Note").fill("")
    await page.getByText("Left empty: the server may use its default.").waitFor()
    await page.getByLabel("Sure").selectOption({ label: "Yes" })
    await page.getByRole("button", { name: "Send" }).press("Enter")
    await page.locator("li", { hasText: "done Done." }).waitFor()
    assert.match((await told(page, ({ got }) => got)).answers[0] ?? "", /"content":\{"tags":\["green","blue"\],"price":"007","size":"1","sure":true\}/)
  })

  inPage("a form that Parley cannot read is drawn by the host", "people", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.getByLabel("Name 1").fill("Ann")
    await page.getByRole("button", { name: "One more" }).click()
    await page.getByLabel("Name 2").fill("Bo")
    await page.getByRole("button", { name: "Send" }).click()
    await page.locator("li", { hasText: "done Done." }).waitFor()
    assert.match((await told(page, ({ got }) => got)).answers[0] ?? "", /"content":\{"people":\[\{"name":"Ann"\},\{"name":"Bo"\}\]\}/)
  })

  inPage("half a date is not taken for none", "", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.getByLabel("Your <b>name</b>").fill("Ann")
    await page.getByRole("radio", { name: "No" }).check()
    await page.getByLabel("Day").focus()
    await page.keyboard.type("12")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("alert").filter({ hasText: "Day is not whole." }).waitFor()
    assert.equal((await told(page, ({ got }) => got)).answers.length, 0)
    await page.getByRole("button", { name: "Dismiss" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
  })

  inPage("effects that run twice make a call once, and do not end it", "atonce&unmount=cancel", async (page) => {
    await page.locator("form.asked").waitFor()
    assert.deepEqual(await told(page, ({ got, calls }) => [got.legs, calls().map(({ status }) => status)]), [1, ["running"]])
    await page.getByRole("button", { name: "Decline" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
    assert.equal((await told(page, ({ got }) => got)).legs, 2)
  })

  inPage("a call is parked when its component is gone, and resumed", "unmount=park", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.locator("form.asked").waitFor()
    await page.getByRole("button", { name: "Away" }).click()
    await page.locator("li", { hasText: "parked" }).waitFor()
    assert.deepEqual(await told(page, ({ questions }) => questions()), [])
    await page.getByRole("button", { name: "Back" }).click()
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByRole("button", { name: "Decline" }).click()
    await page.locator("li", { hasText: "done Done." }).waitFor()
    assert.equal((await told(page, ({ got }) => got)).answers.length, 1)
  })

  inPage("a call is canceled when its component is gone", "unmount=cancel", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.locator("form.asked").waitFor()
    await page.getByRole("button", { name: "Away" }).click()
    await page.locator("li", { hasText: "failed" }).waitFor()
    assert.deepEqual(await told(page, ({ calls, got }) => [calls().map(({ code }) => code), got.legs]), [[14], 1])
  })

  inPage("a call goes on without its component, and what was typed stays", "", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.getByLabel("Your <b>name</b>").fill("Ann")
    await page.getByRole("radio", { name: "Yes" }).check()
    await page.getByRole("button", { name: "Away" }).click()
    await page.locator("form.asked").waitFor({ state: "detached" })
    assert.deepEqual(await told(page, ({ calls }) => calls().map(({ status }) => status)), ["running"])
    await page.getByRole("button", { name: "Back" }).click()
    assert.equal(await page.getByLabel("Your <b>name</b>").inputValue(), "Ann")
    await page.getByRole("button", { name: "Send" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
    assert.match((await told(page, ({ got }) => got)).answers[0] ?? "", /"name":"Ann"/)
  })

  inPage("a page takes over what a server rendered, with questions it did not know of", "hydrate", async (page) => {
    await page.locator("form.asked").waitFor()
    await page.getByRole("button", { name: "Decline" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
  })

  inPage("a question's _meta passes through, and an app of the server renders it", "app", async (page) => {
    await page.getByRole("button", { name: "Call" }).click()
    await page.frameLocator("iframe").getByRole("button", { name: "Answer: Who are you?" }).click()
    await page.locator("li", { hasText: "done" }).waitFor()
    assert.match((await told(page, ({ got }) => got)).answers[0] ?? "", /\{"action":"accept","content":\{"name":"Ann","sure":true\}\}/)
  })
}
