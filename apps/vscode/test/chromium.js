import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

import { chromium } from "playwright-core"

/** Debian's chromium, of the PATH. */
export function launchChromium() {
  return chromium.launch({ executablePath: find("chromium"), args: ["--no-sandbox"], timeout: 180_000 }) // for root in a container
}

/** @param {string} program */
function find(program) {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
  if (!found) throw new Error(`there is no ${program} on the PATH: run apps/vscode/test/setup.sh`)
  return found
}
