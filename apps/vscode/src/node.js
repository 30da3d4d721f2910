// The extension in the Node extension host: servers over HTTP, and those that
// are programs.

import { stdioTransport } from "@parley-mcp/parley/stdio"

import { loopback } from "../../../hosts/js/dist/oauth/loopback-node.js"
import { start } from "./extension.js"
import { writePrivately } from "./private-file.js"
import { sharedPlace } from "./shared-place.js"

/** @import { ExtensionContext } from "vscode" */

export { stop as deactivate } from "./extension.js"

/** @param {ExtensionContext} context */
export function activate(context) {
  return start(context, { stdio: stdioTransport, loopback, writePrivately, sharedPlace, environment: process.env })
}
