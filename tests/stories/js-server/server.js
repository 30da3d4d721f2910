import { fromJsonSchema, inputRequired, McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server"
import { principal } from "@parley-mcp/parley/codec"
import { guardServer } from "@parley-mcp/parley/server"

import { machine } from "./stories/machine.js"
import { quarterReports, report } from "./stories/report.js"
import { review } from "./stories/review.js"
import { Round } from "./stories/round.js"
import { weather } from "./stories/weather.js"
import { workItem } from "./stories/workitem.js"

/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { Guard } from "@parley-mcp/parley/codec" */
/** @import { Ending, Reply } from "./stories/round.js" */

// Made once: the SDK wants a server for each request.
const tools = [weather, workItem, machine].map((tool) => ({ ...tool, inputSchema: fromJsonSchema(/** @type {any} */ (tool.inputSchema)) }))
const reviewArguments = fromJsonSchema(/** @type {any} */ (review.argsSchema))

/**
 * A server with every story, for one request. Nothing is remembered between
 * rounds: the Guard seals what a round tells the next.
 *
 * @param {Guard} guard one for all
 * @param {(line: string) => void} log gets a line for each round and why a requestState was refused, never the state or an answer
 */
export function makeServer(guard, log) {
  const server = guardServer(
    new McpServer(
      { name: "parley-js-server", title: "Parley example server", version: "0.1.0" },
      { instructions: "Every tool, prompt and resource here may ask for input before it answers.", supportedProtocolVersions: ["2026-07-28"] },
    ),
    guard,
    { principal: user },
  )
  server.server.onerror = (error) => log(error.message)

  /** Plays one round. @template T @param {string} name @param {Reply} reply @param {(ending: Ending) => T} end */
  const take = (name, reply, end) => {
    log(`round of ${name}: ${"questions" in reply ? `asks ${Object.keys(reply.questions)}` : reply.end}`)
    if ("questions" in reply) return inputRequired({ inputRequests: reply.questions, requestState: JSON.stringify(reply.next) })
    return end(reply)
  }

  for (const { name, title, description, inputSchema, tell } of tools) {
    server.registerTool(name, { title, description, inputSchema }, (args, context) =>
      take(name, tell(/** @type {any} */ (args), new Round(context)), ({ text, end }) => ({
        content: [{ type: "text", text }],
        isError: end === "unanswered", // a user's no is a result, not an error
      })),
    )
  }

  const { name: prompt, title, description } = review
  server.registerPrompt(prompt, { title, description, argsSchema: reviewArguments }, (args, context) =>
    take(prompt, review.tell(args ?? {}, new Round(context)), (ending) => ({
      description,
      messages: [{ role: "user", content: { type: "text", text: textOf(ending) } }],
    })),
  )

  const { name: resource, uri, tell, ...about } = report
  server.registerResource(resource, uri, about, (_, context) =>
    take(resource, tell(new Round(context)), (ending) => ({
      contents: [{ uri, mimeType: about.mimeType, text: textOf(ending) }],
      cacheScope: "private", // it depends on the user
    })),
  )

  const { name: reports, uriTemplate, complete, tell: tellQuarter, ...them } = quarterReports
  server.registerResource(reports, new ResourceTemplate(uriTemplate, { list: undefined, complete }), them, (uri, which) => ({
    contents: [{ uri: uri.href, mimeType: them.mimeType, text: textOf(tellQuarter(/** @type {Record<string, string>} */ (which))) }],
  }))
  return server
}

/**
 * Who calls, spelled as the Go SDK's side spells it. Throws for a token whose
 * verifier sets no user, because its users could not be told apart.
 *
 * @param {ServerContext} context
 */
function user({ http }) {
  if (!http?.authInfo) return null
  const name = http.authInfo.extra?.user
  if (typeof name !== "string" || name === "") throw new Error("the token's verifier sets no extra.user")
  return principal(null, null, name)
}

/** The text of a prompt or a resource: unlike a tool's, their results have no room for a no. @param {Ending} ending */
function textOf({ text, end }) {
  if (end !== "done") throw new ProtocolError(ProtocolErrorCode.InvalidParams, text, { reason: end })
  return text
}
