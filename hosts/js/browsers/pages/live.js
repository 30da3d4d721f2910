import { Code, connect, fetchTransport } from "../../dist/index.js"
import { contains, equal } from "../../test/assert.js"
import { failed, snapshotOf, until } from "../../test/peer.js"
import { askers, every, everyAtOnce } from "../../test/stories.js"
import { setting } from "./report.js"

/** @import { Env } from "../../test/suite.js" */

/** Calls by the browser's own fetch: against tests/stories/go-server at another origin, and against servers that are not well. @param {Pick<Env, "test" | "load">} env */
export default function live({ test, load }) {
  /** @param {import("../../dist/index.js").Engine} engine @param {string} url */
  const at = (engine, url) => connect(engine, fetchTransport(url), { clientInfo: { name: "parley-test", version: "0" }, askers })

  for (const form of ["stream", "json"]) {
    test(`go-server at another origin, ${form}`, async () => {
      const engine = await load()
      const session = at(engine, setting(form))
      await every(session)
      await everyAtOnce(session)
      await session.close()
      equal(engine.live, 0, "live")
    })
  }

  test("a server that lets no pages in leaves a tool call in doubt, and may be asked again", async () => {
    const engine = await load()
    const [closed, open] = [at(engine, setting("closed")), at(engine, setting("stream"))]
    const refused = failed(await closed.call({ method: "tools/call", params: { name: "get_weather", arguments: { location: "Oslo" } } }))
    equal([refused.code, refused.cause instanceof TypeError], [Code.inDoubt, true])
    const outcome = await open.resume({ snapshot: snapshotOf(refused, Code.inDoubt), resend: true })
    contains(outcome.status === "done" && outcome.result, "°F")
    await closed.close()
    await open.close()
    equal(engine.live, 0, "live")
  })

  test("a redirect is not followed", async () => {
    const engine = await load()
    const session = at(engine, "/moved")
    const { detail, cause } = failed(await session.call({ method: "tools/call", params: { name: "t" } }))
    contains(`${detail} ${cause}`, "the endpoint has moved")
    await session.close()
  })

  test("the browser keeps cookies, and sends them to another origin if it is asked to", async () => {
    const engine = await load()
    const asks = { fetch: (/** @type {string} */ url, /** @type {RequestInit} */ init) => fetch(url, { ...init, credentials: "include" }) }
    /** @type {[server: string, options: object, want: string[]][]} */
    const tests = [["", {}, ["new", "pinned"]], [setting("elsewhere"), {}, ["new", "new"]], [setting("elsewhere"), asks, ["new", "pinned"]]]
    for (const [server, options, want] of tests) {
      const session = connect(engine, fetchTransport(`${server}/pinned?${crypto.randomUUID()}`, options))
      const said = []
      for (const _ of want) said.push((await session.callTool({ name: "t" })).content[0]?.text)
      equal(said, want, server || "the page's own origin")
      await session.close()
    }
  })

  test("cancelling ends the request", async () => {
    const engine = await load()
    const controller = new AbortController()
    const mine = "?" + crypto.randomUUID()
    const session = at(engine, "/hang" + mine)
    const ended = session.call({ method: "tools/call", params: { name: "t" }, signal: controller.signal })
    await until(async () => (await hanging(mine)) === 1, "the request is there")
    controller.abort()
    equal(failed(await ended).code, Code.canceled)
    await until(async () => (await hanging(mine)) === 0, "the request is gone")
    await session.close()
    equal(engine.live, 0, "live")
  })
}

/** @param {string} query */
async function hanging(query) {
  return Number(await (await fetch("/hanging" + query)).text())
}
