// A call over an SDK's client is told the same of an answer as one over a
// transport of the host's own, or that it is in doubt: hosts/testdata/verdicts.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

import { Code, connect, load } from "../dist/node.js"
import { over } from "../dist/transport/sdk-client.js"
import { equal, ok } from "./assert.js"

/** As internal/testkit/failures has it. @typedef {{http?: object, timeout?: number, verdict: string, over?: Record<string, string>}} Case */

const repository = fileURLToPath(new URL("../../..", import.meta.url))
const folder = new URL("../../testdata/verdicts/", import.meta.url)
const engine = await load()

test("a call over the SDK's client says what became of it", async (t) => {
  const place = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(place, { recursive: true }))
  const serve = join(place, "serve")
  execFileSync("go", ["build", "-o", serve, "./internal/testkit/failures/serve"], { cwd: repository, stdio: ["ignore", "ignore", "inherit"] })
  const server = spawn(serve, { cwd: repository, stdio: ["pipe", "pipe", "inherit"] })
  t.after(() => (server.stdin.end(), once(server, "exit")))
  const { value } = await createInterface(server.stdout)[Symbol.asyncIterator]().next()
  /** @type {{cases: Record<string, {url: string}>}} */
  const served = JSON.parse(value)
  /** @type {unknown[]} */
  const unhandled = []
  const keep = (/** @type {unknown} */ reason) => unhandled.push(reason)
  process.on("unhandledRejection", keep)
  t.after(() => process.off("unhandledRejection", keep))

  for (const file of readdirSync(folder)) {
    const name = file.replace(/\.json$/, "")
    /** @type {Case} */
    const one = JSON.parse(readFileSync(new URL(file, folder), "utf8"))
    if (!one.http) continue
    await t.test(name, async () => {
      const url = new URL("/over", served.cases[name]?.url)
      const want = one.over?.js ?? one.verdict
      const { verdict, words } = await call(url, one.timeout ?? (want === "late" ? 300 : undefined)) // nothing ever comes
      equal(verdict === "late" && one.timeout ? "in doubt" : verdict, want, words)
      ok(!words.includes("s3cret"), "the words tell the URL")
    })
  }
  const led = await call(new URL("/over", served.cases["status-303-elsewhere"]?.url), undefined, "follow")
  equal(led.verdict, "in doubt", "a client that follows all redirects")
  equal(unhandled, [])
})

/** @param {URL} url @param {number} [legTimeout] @param {"follow"} [redirectPolicy] */
async function call(url, legTimeout, redirectPolicy) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(new StreamableHTTPClientTransport(url, { redirectPolicy }))
  const session = connect(engine, over(client))
  const outcome = await session.call({ method: "tools/call", params: { name: "pay", arguments: {} }, options: { legTimeout } })
  await session.close()
  await client.close()
  if (outcome.status !== "failed") return { verdict: outcome.status, words: "" }
  const { code, inDoubt, detail } = outcome
  if (code === Code.legTimeout) return { verdict: "late", words: detail }
  if (inDoubt) return { verdict: "in doubt", words: detail }
  if (code === Code.rpc) return { verdict: "answered", words: detail }
  if (code === Code.malformed) return { verdict: "unusable", words: detail }
  if (detail.includes("HTTP status")) return { verdict: "refused", words: detail }
  return { verdict: code === Code.lost ? "not sent" : `code ${code}`, words: detail }
}
