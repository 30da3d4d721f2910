// Signs in from a page of real browsers, at an authorization server that isolates
// its pages (Cross-Origin-Opener-Policy): in a window, by a redirect, and with two
// tabs that refresh one token at once. Usage: node sign-in.mjs [chromium] [firefox]
import { authorizationServer, protectedServer } from "../test/oauth-servers.js"
import { launch, missing } from "./launch.mjs"
import { startSite } from "./site.mjs"

/** @import { Page } from "playwright-core" */
/** @import { Browser } from "./launch.mjs" */

const skip = 77

/** @type {(() => unknown)[]} */
const ends = []
const ending = { after: (/** @type {() => unknown} */ end) => void ends.push(end) }

const site = await startSite({ "/hosts/js/": new URL("../", import.meta.url) })
const as = await authorizationServer(ending, {
  instead({ path, query }, response, origin) {
    if (path !== "/authorize" || query.has("yes")) return
    query.set("yes", "")
    response.writeHead(200, { "Content-Type": "text/html", "Cross-Origin-Opener-Policy": "same-origin" })
    response.end(`<!doctype html><title>Log in</title><a id="allow" href="${origin}/authorize?${query.toString().replaceAll("&", "&amp;")}">Allow</a>`)
    return true
  },
})
const mcp = await protectedServer(ending, [as.origin])
const strict = await authorizationServer(ending, {
  metadata: { scopes_supported: ["read", "offline_access"] },
  instead({ path, query }, response, origin) {
    if (path !== "/authorize" || !query.get("scope")?.includes("offline_access")) return
    const answer = new URLSearchParams({ error: "invalid_scope", state: query.get("state") ?? "", iss: origin })
    return response.writeHead(302, { Location: `${query.get("redirect_uri")}?${answer}` }).end()
  },
})
const behindStrict = await protectedServer(ending, [strict.origin], { metadata: { scopes_supported: ["read"] } })

const wanted = process.argv.slice(2)
try {
  for (const engine of wanted.length ? wanted : ["chromium", "firefox"]) await runIn(engine)
} finally {
  for (const end of ends) await end()
  site.stop()
}

/** @param {string} engine */
async function runIn(engine) {
  const programs = missing(engine)
  if (programs.length) {
    console.log(`${engine}: skipped: there is no ${programs.join(" and no ")} on the PATH: run hosts/js/browsers/setup.sh`)
    process.exitCode ||= skip
    return
  }
  const browser = await launch(engine)
  try {
    for (const [name, run] of Object.entries({ inWindow, withoutWindow, byRedirect, refusedInWindow, refusedByRedirect, twoTabs })) {
      try {
        await run(browser, engine)
        console.log(`ok   ${engine} ${browser.version}, sign-in: ${name}`)
      } catch (error) {
        console.log(`FAIL ${engine} ${browser.version}, sign-in: ${name}: ${error instanceof Error ? error.stack : error}`)
        process.exitCode = 1
      }
    }
  } finally {
    await browser.close()
  }
}

/** The page, when it has begun. @param {Browser} browser @param {Record<string, string>} settings @returns {Promise<Page>} */
async function open(browser, settings) {
  const page = /** @type {Page} */ (await browser.open(`${site.origin}/hosts/js/browsers/pages/sign-in.html?${new URLSearchParams({ url: mcp.url, ...settings })}`))
  await page.waitForSelector("body[data-ready]", { state: "attached" })
  return page
}

/** @param {Page} page */
async function result(page) {
  await page.waitForSelector("body[data-result]", { state: "attached" })
  return JSON.parse((await page.getAttribute("body", "data-result")) ?? "")
}

/** Runs something of the page's. @param {Page} page @param {string} code */
function inPage(page, code) {
  return page.evaluate(code)
}

/** The window that a click opens, in which the person says yes. @param {Page} page */
async function allow(page) {
  const [shown] = await Promise.all([page.waitForEvent("popup"), page.click("#yes")])
  await shown.waitForSelector("#allow")
  const closed = shown.waitForEvent("close")
  if (await shown.evaluate("opener !== null")) throw new Error("the page that is shown has an opener")
  await shown.click("#allow")
  await closed
}

/** A window is opened by the click, and closes itself; the page gets the answer, cut off as it is. @param {Browser} browser */
async function inWindow(browser) {
  const page = await open(browser, {})
  const answered = inPage(page, "authorize()")
  await page.waitForSelector("body[data-asked]", { state: "attached" })
  await allow(page)
  await answered
  const { account, error } = await result(page)
  if (!account) throw new Error(error)
  const token = String(await inPage(page, "login.authorization()")).replace("Bearer ", "")
  if (!as.secrets.includes(token)) throw new Error("the token is not the server's")
  const stored = JSON.stringify(await inPage(page, "[{ ...localStorage }, { ...sessionStorage }, indexedDB.databases?.()]"))
  if (as.secrets.some((secret) => stored.includes(secret))) throw new Error("a secret is in the page's storage")
  await page.close()
}

/** Where the host forgets to open a window in the click, the one that is opened later is another's to allow. @param {Browser} browser */
async function withoutWindow(browser) {
  const page = await open(browser, { closed: "" })
  await inPage(page, "globalThis.open = () => null") // as a browser that does not let it
  const answered = inPage(page, "authorize()")
  await page.waitForSelector("body[data-asked]", { state: "attached" })
  await page.click("#yes")
  await answered
  const { error } = await result(page)
  if (!/opened no window for 127\.0\.0\.1:\d+: let this page open windows/.test(error)) throw new Error(`got ${error}`)
  await page.close()
}

/** @param {Browser} browser */
async function byRedirect(browser) {
  const page = await open(browser, { redirect: "" })
  void inPage(page, "authorize()").catch(() => {}) // the page leaves before it is over
  await page.waitForSelector("body[data-asked]", { state: "attached" })
  await page.click("#yes")
  await page.click("#allow")
  const { account, search, begun, error } = await result(page)
  if (!account || search || begun.length) throw new Error(`got ${JSON.stringify({ account, search, begun, error })}`)
  const token = String(await inPage(page, "login.authorization()")).replace("Bearer ", "")
  if (!as.secrets.includes(token)) throw new Error("the token is not the server's")
  await page.close()
}

/** offline_access is refused: the window is gone by then, and the next click does without it. @param {Browser} browser */
async function refusedInWindow(browser) {
  const page = await open(browser, { url: behindStrict.url })
  for (let clicks = 1; ; clicks++) {
    const answered = inPage(page, "authorize()")
    await page.waitForSelector("body[data-asked]", { state: "attached" })
    await page.click("#yes")
    await answered
    const { account, error } = await result(page)
    if (account) break
    if (clicks > 1 || !/opened no window/.test(error)) throw new Error(`click ${clicks}: ${error}`)
  }
  if (String(await inPage(page, "login.account().then(({ scopes }) => scopes.join())")) !== "read") throw new Error("other scopes")
  await page.close()
}

/** offline_access is refused: the page goes there once more, without a click. @param {Browser} browser */
async function refusedByRedirect(browser) {
  const page = await open(browser, { url: behindStrict.url, redirect: "" })
  void inPage(page, "authorize()").catch(() => {}) // the page leaves before it is over
  await page.waitForSelector("body[data-asked]", { state: "attached" })
  await page.click("#yes")
  const { account, search, begun, error } = await result(page)
  if (!account || search || begun.length) throw new Error(`got ${JSON.stringify({ account, search, begun, error })}`)
  await page.close()
}

/** @param {Browser} browser @param {string} engine */
async function twoTabs(browser, engine) {
  const first = await open(browser, { kept: `accounts-${engine}` })
  const answered = inPage(first, "authorize()")
  await first.waitForSelector("body[data-asked]", { state: "attached" })
  await allow(first)
  await answered
  const { account } = await result(first)
  const second = await open(browser, { kept: `accounts-${engine}` })
  const tabs = [first, second]
  for (const tab of tabs) await inPage(tab, "login.authorization()")
  const before = refreshes()
  await Promise.all(tabs.map((tab) => inPage(tab, "authorize()")))
  const answers = await Promise.all(tabs.map(result))
  const tokens = await Promise.all(tabs.map((tab) => inPage(tab, "login.authorization()")))
  if (answers.some((answer) => answer.account !== account) || tokens[0] !== tokens[1] || refreshes() !== before + 1) throw new Error(`${refreshes() - before} refreshes, ${JSON.stringify(answers)}`)
  for (const tab of tabs) await tab.close()
}

function refreshes() {
  return as.seen.filter(({ form }) => form.get("grant_type") === "refresh_token").length
}
