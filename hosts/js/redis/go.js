// A program in Go at the same store: hosts/go/store/redis/internal/parks.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** @import { About } from "@parley-mcp/parley/store" */

/** @typedef {{do: string, id?: string, snapshot?: string, about?: About, expires?: number}} Order */
/** @typedef {{error?: string, snapshot?: string, first?: boolean, calls?: {ID: string, Taken: boolean, About: object, Problem: unknown}[]}} Answer */

/** Starts it. @param {string} url @param {string} keys the name of a key file */
export async function inGo(url, keys) {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  const program = join(folder, "parks")
  const repository = fileURLToPath(new URL("../../..", import.meta.url))
  execFileSync("go", ["build", "-o", program, "./hosts/go/store/redis/internal/parks"], { cwd: repository, stdio: ["ignore", "ignore", "inherit"] })
  const child = spawn(program, [url, keys], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    /** @param {Order} order @returns {Promise<Answer>} */
    async tell(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error("the program ended")
      return JSON.parse(value)
    },
    async stop() {
      child.stdin.end()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
