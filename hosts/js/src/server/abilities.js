/** @import { ServerContext } from "@modelcontextprotocol/server" */

/** What clients and servers declare that have tasks: a server in its `capabilities.extensions`. */
export const tasksExtension = "io.modelcontextprotocol/tasks"

/**
 * What the client of a request can do. `way` is how it is asked in the middle of
 * a call: in `rounds` by results (2026-07-28), by `requests` of the server (earlier revisions,
 * which the SDK's own fallback makes of `inputRequired`), or not at all, null.
 *
 * @typedef {{way: "rounds" | "requests" | null, form: boolean, url: boolean, sampling: boolean, samplingTools: boolean, roots: boolean, tasks: boolean}} Abilities
 */

/** Whether the client of a request has rounds: its revision says in each request which one it is. @param {{envelope?: object | undefined}} mcpReq */
export const hasRounds = ({ envelope }) => /** @type {any} */ (envelope)?.["io.modelcontextprotocol/protocolVersion"] !== undefined

/**
 * What the client that sent a request can do, as it declared.
 *
 * @param {Pick<ServerContext, "mcpReq">} context
 * @param {{getClientCapabilities: () => any}} [server] the `Server`, which knows what a client of an earlier revision declared
 * @returns {Abilities}
 */
export function abilities({ mcpReq }, server) {
  const rounds = hasRounds(mcpReq)
  const envelope = /** @type {Record<string, unknown> | undefined} */ (mcpReq.envelope)
  const declared = /** @type {any} */ (rounds ? envelope?.["io.modelcontextprotocol/clientCapabilities"] : server?.getClientCapabilities()) ?? {}
  const { elicitation, sampling, roots, extensions } = declared
  const can = {
    form: Boolean(elicitation && (elicitation.form || !elicitation.url)), // one that names no mode stands for forms
    url: Boolean(elicitation?.url),
    sampling: Boolean(sampling),
    samplingTools: Boolean(sampling?.tools),
    roots: Boolean(roots),
  }
  const any = can.form || can.url || can.sampling || can.roots
  return { way: any ? (rounds ? "rounds" : "requests") : null, ...can, tasks: rounds && typeof extensions?.[tasksExtension] === "object" && extensions[tasksExtension] !== null }
}
