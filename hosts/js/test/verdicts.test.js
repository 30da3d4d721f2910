// A tool call that fails says whether the tool may have run, and why it failed in
// words that a person can act on: hosts/testdata/verdicts, from real sockets.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { contains, equal, ok } from "./assert.js"

/** @import { Failure, Said } from "./verdicts.js" */

/** As internal/testkit/failures has it. @typedef {{verdict: string, words: string[], hosts?: string[], node?: {verdict: string, words: string[]}, login?: string, program?: {missing?: boolean}, most?: number, timeout?: number}} Case */

const repository = fileURLToPath(new URL("../../..", import.meta.url))

test("a call that fails says what became of it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const serve = join(folder, "serve")
  execFileSync("go", ["build", "-o", serve, "./internal/testkit/failures/serve"], { cwd: repository, stdio: ["ignore", "ignore", "inherit"] })

  const server = spawn(serve, { cwd: repository, stdio: ["pipe", "pipe", "inherit"] })
  t.after(() => (server.stdin.end(), once(server, "exit")))
  const { value } = await createInterface(server.stdout)[Symbol.asyncIterator]().next()
  /** @type {{ca: string, cases: Record<string, {url: string}>}} */
  const served = JSON.parse(value)
  writeFileSync(join(folder, "ca.pem"), served.ca)

  const cases = read()
  /** @type {Failure[]} */
  const failures = [...cases].map(([name, { login, program, most, timeout }]) => ({
    name, login, most, timeout,
    url: served.cases[name]?.url,
    program: program && (program.missing ? [join(folder, "server")] : [serve, "-cases", join(repository, "hosts/testdata/verdicts"), "-program", name]),
  }))
  const child = spawn(process.execPath, [fileURLToPath(new URL("verdicts.js", import.meta.url))], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
    stdio: ["pipe", "pipe", "inherit"],
  })
  child.stdin.end(JSON.stringify(failures))
  let output = ""
  for await (const text of child.stdout) output += text
  /** @type {Record<string, Said>} */
  const said = JSON.parse(output)

  for (const [name, { node, ...general }] of cases) {
    await t.test(name, () => {
      const want = node ?? general
      const got = said[name] ?? { verdict: "nothing", words: "" }
      equal(got.verdict, want.verdict, got.words)
      for (const words of want.words) contains(got.words, words)
      const { url } = served.cases[name] ?? {}
      ok(!url || (!got.words.includes(url) && !got.words.includes("s3cret")), "the words tell the URL")
    })
  }
})

/** The cases that are for Node, by name. */
function read() {
  const folder = new URL("../../testdata/verdicts/", import.meta.url)
  /** @type {Map<string, Case>} */
  const cases = new Map()
  for (const file of readdirSync(folder)) {
    /** @type {Case} */
    const one = JSON.parse(readFileSync(new URL(file, folder), "utf8"))
    if (one.hosts?.includes("node") ?? true) cases.set(file.replace(/\.json$/, ""), one)
  }
  return cases
}
