// How this window reaches servers.

import { fetchTransport } from "@parley-mcp/parley/core"

import { Sessions } from "../../shared-js/sessions.js"
import { allowed } from "./settings.js"

/** @import { Asker, Engine, Transport } from "@parley-mcp/parley" */
/** @import { loopback } from "../../../hosts/js/dist/oauth/loopback-node.js" */
/** @import { StdioOptions } from "../../../hosts/js/dist/transport/stdio-node.js" */
/** @import { Server } from "./servers.js" */
/** @import { sharedPlace } from "./shared-place.js" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Log } from "./log.js" */

/**
 * What the extension host can do beside what VS Code does for it.
 *
 * @typedef {object} Platform
 * @property {(options: StdioOptions) => Transport} [stdio] starts programs
 * @property {typeof loopback} [loopback] waits for a browser at a port of this machine
 * @property {(path: string, data: Uint8Array) => Promise<boolean>} [writePrivately]
 *   writes a file that nobody but the person can read; false where others may
 * @property {typeof sharedPlace} [sharedPlace] opens stores that others have, too
 * @property {Record<string, string | undefined>} [environment] that the editor was started with
 */

/**
 * The sessions of this window.
 *
 * @param {Engine} engine @param {Platform} platform @param {Accounts} accounts @param {(server: Server) => Asker} roots
 *   which folders it may work on, if it asks before there is a call @param {Log} log @param {string} version of the extension
 * @returns {Sessions<Server>}
 */
export function sessionsOf(engine, { stdio }, accounts, roots, log, version) {
  return new Sessions(engine, {
    clientInfo: { name: "parley-vscode", title: "Parley for VS Code", version },
    askers: allowed,
    roots,
    account: (server) => accounts.at(server),
    onReady: (server, version) => log.info(server, `speaks MCP ${version}`),
    onWarning: (server, text) => log.warn(server, text),
    mostWaiting: stdio && Infinity, // Node opens as many connections as it needs
    transport(server) {
      if (server.url !== undefined) return fetchTransport(server.url, { authorization: (signal) => accounts.authorization(server, signal) })
      if (!stdio) throw new Error(`${server.label} is a program, and VS Code starts none where it runs in a browser: give it a url`)
      const { command, args, cwd, env } = server
      return stdio({ command, args, cwd, env })
    },
  })
}
