import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"

/** A folder on a disk, where everything takes a moment. @param {string} home @returns {import("../src/entries.js").Folder} */
export function folderOn(home) {
  /** @template T @param {() => T} work */
  const later = async (work) => {
    await setImmediate()
    return work()
  }
  return {
    names: () => later(() => readdirSync(home)),
    read: (name) =>
      later(() => {
        try {
          return readFileSync(join(home, name), "utf8")
        } catch {}
      }),
    write: (name, text) => later(() => writeFileSync(join(home, name), text)),
    rename: (from, to) => later(() => renameSync(join(home, from), join(home, to))),
    create: (from, to) =>
      later(() => {
        linkSync(join(home, from), join(home, to))
        rmSync(join(home, from))
      }),
    remove: (name) => later(() => rmSync(join(home, name), { force: true })),
  }
}
