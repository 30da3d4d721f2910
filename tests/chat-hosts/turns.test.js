// A turn calls two tools, one of which asks twice and waits for the person: each time in another process.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { startDesk } from "./desk.js"

const run = promisify(execFile)

for (const host of ["ai-sdk", "langgraph", "openai-agents"]) {
  test(`${host}: a turn whose tool asks twice goes on in a second and a third process, and each tool is called once`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-turn-"))
    t.after(() => rmSync(folder, { recursive: true }))
    const desk = await startDesk()
    t.after(desk.stop)
    /** A process. @param {...string} keys of the questions that the person has answered */
    const play = async (...keys) => JSON.parse((await run(process.execPath, [fileURLToPath(new URL(`turns/${host}.js`, import.meta.url)), desk.url, folder, ...keys])).stdout)

    assert.deepEqual((await play()).waiting, ["resolution"])
    assert.deepEqual(await desk.counts(), { get_weather: 1 })
    assert.ok(!readFileSync(join(folder, "chat")).includes("requestState"), "the chat has no secret")
    assert.deepEqual((await play("resolution")).waiting, ["original"])
    cpSync(join(folder, "chat"), join(folder, "before"))

    const end = { waiting: [], text: "All done.", seen: [["get_weather", "18 °C in Oslo"], ["update_work_item", "Work item 4711 is a duplicate of 42."]] }
    assert.deepEqual(await play("original"), end)
    assert.deepEqual(await desk.counts(), { get_weather: 1, update_work_item: 1 })

    // A host that died before it kept the chat does it again, and the server does nothing twice.
    cpSync(join(folder, "before"), join(folder, "chat"))
    assert.deepEqual(await play("original"), end)
    assert.deepEqual(await desk.counts(), { get_weather: 1, update_work_item: 1 })
  })
}
