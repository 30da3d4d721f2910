import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Some of the text in which a script of the package carries the engine's module. */
const text = readFileSync(new URL("../../hosts/js/dist/engine/parley-inline.js", import.meta.url), "utf8").slice(1000, 1060)

/** Whether a script carries the module. @param {string} script */
export function carries(script) {
  return script.includes(text)
}

/** Which scripts of a folder carry the module. @param {string} folder */
export function carriers(folder) {
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.[cm]?js$/.test(name))
  return scripts.filter((name) => carries(readFileSync(join(folder, name), "utf8")))
}
