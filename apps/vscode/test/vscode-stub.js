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

/** What is in the file that the person opens. */
export const opened = { text: "" }

/** @param {string} text */
const tell = async (text) => void told.push(text)

/** What becomes of addresses for who is outside. @type {{of: (text: string) => string}} */
export const outside = { of: (text) => text }

export const env = {
  uriScheme: "vscode",
  /** @param {Uri} uri */
  asExternalUri: async (uri) => Uri.parse(outside.of(uri.text)),
}

/** As far as its text matters. */
export class Uri {
  /** @param {string} text */
  constructor(text) {
    this.text = text
    this.scheme = text.slice(0, text.indexOf(":"))
    this.query = text.includes("?") ? text.slice(text.indexOf("?") + 1) : ""
  }

  /** @param {{scheme: string, authority: string, path: string}} parts */
  static from({ scheme, authority, path }) {
    return new Uri(`${scheme}://${authority}${path}`)
  }

  /** @param {string} text */
  static parse(text) {
    return new Uri(text)
  }

  toString() {
    return this.text
  }
}

export class EventEmitter {
  event = () => {}
  fire() {}
}

export const ProgressLocation = {}

export class ThemeIcon {}

export const window = {
  showErrorMessage: tell,
  showInformationMessage: tell,
  setStatusBarMessage() {},
  showSaveDialog: async () => save.file,
  showOpenDialog: async () => [opened],
  /** @param {unknown} _ @param {(progress: object, cancel: object) => Promise<unknown>} work */
  withProgress: (_, work) => work({ report() {} }, { onCancellationRequested() {} }),
}

export const workspace = {
  getConfiguration: () => ({ get: (/** @type {string} */ name) => settings[name] }),
  fs: {
    writeFile: async () => {},
    stat: async () => ({ size: opened.text.length }),
    readFile: async () => new TextEncoder().encode(opened.text),
  },
}
