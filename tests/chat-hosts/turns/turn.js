// One process of a turn: it starts the turn, or goes on with it when the person has answered some questions. All that
// one process leaves to the next is in a folder. Usage: node turns/HOST.js URL FOLDER [KEY...]
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { deserialize, serialize } from "node:v8"

import { fileStore, session } from "../desk.js"

const [url = "", folder = "", ...keys] = process.argv.slice(2)
const chat = `${folder}/chat`

/**
 * @template C
 * @param {(host: {session: import("@parley-mcp/parley").Session, store: import("@parley-mcp/parley").ParkingStore, keys: string[], chat: C | undefined}) => Promise<{chat: C, waiting: import("../parley.js").Waiting[], text?: string, seen?: [tool: string, text: string][]}>} turn
 *   `seen` is what the model saw of the tools' results when it spoke last
 */
export async function play(turn) {
  const desk = await session(url)
  const left = await turn({ session: desk, store: fileStore(`${folder}/calls`), keys, chat: existsSync(chat) ? deserialize(readFileSync(chat)) : undefined })
  writeFileSync(chat, serialize(left.chat))
  await desk.close()
  console.log(JSON.stringify({ waiting: left.waiting.map(({ question }) => question?.key), text: left.text, seen: left.seen }))
}
