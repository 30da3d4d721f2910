// In the place of VS Code, for what needs little of it. Import this before what
// imports "vscode", and that with `await import`.

import { register } from "node:module"

const resolve = `export const resolve = (name, context, next) =>
  name === "vscode" ? { url: ${JSON.stringify(import.meta.url)}, shortCircuit: true } : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(resolve)}`)

/** What the person was told. @type {string[]} */
export const told = []

/** What the person has set. @type {Record<string, unknown>} */
export const settings = {}

/** Where the person saves files. @type {{file: unknown}} */
export const save = { file: undefined }

/** @param {string} text */
const tell = async (text) => void told.push(text)

export class EventEmitter {
  event = () => {}
  fire() {}
}

export const ProgressLocation = {}

export class ThemeIcon {}

export const window = {
  showErrorMessage: tell,
  showInformationMessage: tell,
  showSaveDialog: async () => save.file,
  /** @param {unknown} _ @param {(progress: object, cancel: object) => Promise<unknown>} work */
  withProgress: (_, work) => work({ report() {} }, { onCancellationRequested() {} }),
}

export const workspace = {
  getConfiguration: () => ({ get: (/** @type {string} */ name) => settings[name] }),
  fs: { writeFile: async () => {} },
}
