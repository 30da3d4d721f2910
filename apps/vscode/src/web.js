// The extension in the web worker extension host, where there are no programs.

import { start } from "./extension.js"

/** @import { ExtensionContext } from "vscode" */

export { stop as deactivate } from "./extension.js"

/** @param {ExtensionContext} context */
export function activate(context) {
  return start(context, {})
}
