import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"

import { Server } from "./peer.js"

const main = new URL("../main.js", import.meta.url).pathname

test("mistakes on the command line are named", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-program-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (/** @type {string} */ name, /** @type {string} */ text, mode = 0o600) => {
    writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
  /** @type {Record<string, [args: string[], want: RegExp]>} */
  const cases = {
    "an unknown option": [["--prot", "1"], /--prot/],
    "a port that is none": [["--port", "http"], /--port is a whole number/],
    "a ttl that is too long": [["--ttl", "99999999"], /TTL is at most 30 days/],
    "no audience": [["--audience", ""], /Audience is required/],
    "no key file": [["--key-file", join(folder, "none")], /ENOENT/],
    "a key file for everybody": [["--key-file", file("open", `parley-key/1 11 ${secret}\n`, 0o644)], /chmod 600/],
    "a key file with a mistake": [["--key-file", file("bad", `parley-key/1 11 ${secret.slice(1)}\n`)], /line 1 of the key file/],
    "users without a token": [["--users", file("users", "# ours\nann\n")], /line 2: expected "user token"/],
  }
  for (const [name, [args, want]] of Object.entries(cases)) {
    await t.test(name, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, "--port", "0", ...args], { encoding: "utf8", timeout: 180_000 })
      assert.equal(status, 1)
      assert.equal(stdout, "")
      assert.match(stderr, want)
      assert.ok(!stderr.includes(secret.slice(1)), "the message holds a key")
    })
  }
})

test("the program says what it can do", () => {
  const { status, stdout } = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" })
  assert.equal(status, 0)
  assert.match(stdout, /--key-file name/)
})

test("a server alone has a key of its own, and lets in the pages it is told to", async () => {
  const [one, other] = [await Server.start("one", process.execPath, [main, "--port", "0", "--origin", "http://localhost:5173"]), await Server.start("other", process.execPath, [main, "--port", "0"])]
  try {
    const params = { name: "get_weather", arguments: { location: "Oslo" } }
    const { requestState } = await one.ok("tools/call", params, "")
    const retry = { ...params, requestState, inputResponses: { units: { action: "decline" } } }
    assert.equal((await one.ok("tools/call", retry, "")).content[0].text, "Oslo: 18 °C, light rain, wind 15 km/h.")
    assert.match((await other.send("tools/call", retry, "")).body, /Invalid or expired requestState/)

    const page = (/** @type {string} */ origin) => fetch(one.url, { method: "OPTIONS", headers: { Origin: origin, "Access-Control-Request-Method": "POST" } })
    const allowed = await page("http://localhost:5173")
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get("Access-Control-Allow-Origin"), "http://localhost:5173")
    assert.equal((await page("http://localhost:9999")).status, 403)
    assert.equal((await fetch(new URL("/", one.url))).status, 404)
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
})
