// What the turns and the tests share: the server of server.js, a session with it, and a store in a file, for processes one after the other.
import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { connect, fetchTransport, load, ParkingStore } from "@parley-mcp/parley"

/** @import { Answers, Askers, Entry, Waiting } from "./parley.js" */

/** Starts server.js, which ends with this process. @param {...string} options */
export async function startDesk(...options) {
  const server = spawn(process.execPath, [fileURLToPath(new URL("server.js", import.meta.url)), ...options], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(server, "exit")
  for await (const url of createInterface(server.stdout)) {
    return {
      url: `${url}/mcp`,
      /** How often each tool came to its end. @returns {Promise<Record<string, number>>} */
      counts: async () => (await fetch(`${url}/counts`)).json(),
      /** It knows none of the calls any more that wait now. */
      forget: () => fetch(`${url}/forget`),
      stop: () => (server.kill("SIGKILL"), ended),
    }
  }
  throw new Error("the server did not start")
}

/** @param {string} url @param {Askers} [askers] */
export async function session(url, askers) {
  return connect(await load(), fetchTransport(url), { clientInfo: { name: "chat", version: "1" }, askers })
}

/** Calls kept in a file. @param {string} file */
export function fileStore(file) {
  /** @returns {Map<string, Entry>} */
  const read = () => new Map(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [])
  return new ParkingStore({
    all: async () => [...read().values()],
    async change(id, change) {
      const entries = read()
      const { entry, result } = change(entries.get(id))
      if (entry) entries.set(id, entry)
      else entries.delete(id)
      writeFileSync(file, JSON.stringify([...entries]))
      return result
    },
  })
}

/** What the person says to each question of update_work_item. @type {Record<string, object>} */
export const says = {
  resolution: { action: "accept", content: { resolution: "Duplicate" } },
  original: { action: "accept", content: { original: 42 } },
}

/** Answers to what waits, of those that are given by the questions' keys. @param {Waiting[]} waiting @param {string[]} keys @returns {Answers} */
export function answersTo(waiting, keys) {
  return Object.fromEntries(waiting.flatMap(({ id, question }) => (question && keys.includes(question.key) ? [[id, says[question.key] ?? {}]] : [])))
}
