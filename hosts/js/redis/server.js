// Starts Redis servers of a test's own, on free ports, in folders of their own.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs"
import { createConnection, createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** @import { ChildProcess } from "node:child_process" */

/** @typedef {{port: number, url: string, command: (...words: string[]) => Promise<string>, kill: () => Promise<void>, restart: () => Promise<void>, stop: () => Promise<void>}} Server */

/** @param {...string} args @returns {Promise<Server>} */
export async function start(...args) {
  const dir = mkdtempSync(join(tmpdir(), "parley-redis-"))
  for (let i = 0; i < 10; i++) {
    const port = await freePort()
    let child = await run(port, dir, args)
    if (!child) continue // somebody else got the port
    const kill = async () => {
      if (child?.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    }
    return {
      port,
      url: `redis://127.0.0.1:${port}`,
      command: async (...words) => {
        const said = await command(port, words)
        if (said.startsWith("-")) throw new Error(said.slice(1).trim())
        return said
      },
      kill,
      async restart() {
        await kill()
        child = await run(port, dir, args)
        if (!child) throw new Error("Redis does not start again")
      },
      async stop() {
        await kill()
        rmSync(dir, { recursive: true })
      },
    }
  }
  throw new Error("no Redis starts")
}

/** Debian has the program in the package redis-tools, under another name: it looks at what it is called. */
function program() {
  for (const name of ["redis-server", "redis-check-rdb"]) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK)
        return join(folder, name)
      } catch {} // the next one
    }
  }
  throw new Error("there is no redis-server on the PATH: ./test.sh setup installs it")
}

/** @param {number} port @param {string} dir @param {string[]} args @returns {Promise<ChildProcess | undefined>} */
async function run(port, dir, args) {
  const child = spawn(program(), ["--bind", "127.0.0.1", "--port", String(port), "--dir", dir, "--save", "", ...args], { argv0: "redis-server", stdio: "ignore" })
  process.once("exit", () => child.kill("SIGKILL"))
  while (child.exitCode === null && child.signalCode === null) {
    const said = await command(port, ["PING"]).catch(() => "")
    if (/^(\+PONG|-NOAUTH)/.test(said)) return child // the second of one with a password
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Sends a command over a connection of its own, and returns what comes back first. @param {number} port @param {string[]} words @returns {Promise<string>} */
async function command(port, words) {
  const socket = createConnection(port, "127.0.0.1")
  try {
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`)
    let said = ""
    for await (const part of socket.setEncoding("utf8")) {
      said += part
      const [, size] = /^\$(\d+)\r\n/.exec(said) ?? []
      if (size ? said.length >= Number(size) + size.length + 5 : said.endsWith("\r\n")) return said
    }
    throw new Error("the connection ended")
  } finally {
    socket.destroy()
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  server.close()
  await once(server, "close")
  return port
}
