import { createServer } from "node:http"

/** @import { AddressInfo } from "node:net" */
/** @import { ServerResponse } from "node:http" */

/**
 * What a scripted server does with a request: a JSON-RPC member to answer with,
 * such as `"result":{…}`, as text, so that it may be spelled in any way; or
 * something worse; with `progress`, the params of a notification that comes
 * before; `after` something has come about; with a `status` of HTTP, alone or with
 * such a member.
 *
 * @typedef {string | "hang up" | "say nothing" | {progress: string, then: Answer} | {after: Promise<unknown>, then: string} | {status: number, with?: string}} Answer
 */

/** A request as it came. @typedef {{method: string, params: any, body: string}} Received */

/** What a server wants somebody to sign in by; `hidden` from pages. @typedef {{status: 401 | 403, challenge: string, hidden?: boolean}} Challenge */

/**
 * An MCP server that says what a test has it say, to pages of one origin.
 *
 * @param {string} origin
 * @param {{tools?: string, prompts?: string, templates?: string, answer: (request: Received, n: number) => Answer,
 *   guard?: (authorization: string | undefined, request: Received) => Challenge | undefined, metadata?: (url: string) => object}} script `tools`,
 *   `prompts` and `templates` are what is listed, JSON text; `answer` is asked for all other requests, numbered from 0; `guard` is
 *   asked first; `metadata` is that of RFC 9728
 */
export async function startScripted(origin, { tools = '[{"name":"x","inputSchema":{"type":"object"}}]', prompts = "[]", templates, answer, guard, metadata }) {
  /** @type {Received[]} */
  const received = []
  /** @type {Record<string, string>} */
  const lists = {
    // Asked for where "no" is the first that is heard: servers of earlier eras say so too.
    "server/discover": '"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{}}}',
    "tools/list": `"result":{"tools":${tools}}`,
    "prompts/list": `"result":{"prompts":${prompts}}`,
    "resources/list": '"error":{"code":-32601,"message":"no"}',
    "resources/templates/list": templates ? `"result":{"resourceTemplates":${templates}}` : '"error":{"code":-32601,"message":"no"}',
  }

  const server = createServer(async (request, response) => {
    if (scripted.closed) return response.destroy()
    response.setHeader("Access-Control-Allow-Origin", origin)
    response.setHeader("Access-Control-Allow-Headers", "*, Authorization") // which "*" leaves out
    if (request.method === "OPTIONS") return response.writeHead(204).end()
    if (metadata && request.url === "/.well-known/oauth-protected-resource/mcp") {
      return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(metadata(scripted.url)))
    }
    if (request.method !== "POST") return response.writeHead(404).end()
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const { id, method, params } = JSON.parse(body)
    const refused = guard?.(request.headers.authorization, { method, params, body })
    if (refused) {
      if (!refused.hidden) response.setHeader("Access-Control-Expose-Headers", "WWW-Authenticate")
      return response.writeHead(refused.status, { "WWW-Authenticate": refused.challenge }).end()
    }
    const listed = lists[method]
    if (listed) return reply(response, id, listed)
    received.push({ method, params, body })
    let said = answer({ method, params, body }, received.length - 1)
    if (typeof said === "object" && "status" in said) {
      response.statusCode = said.status
      if (said.with === undefined) return response.setHeader("Location", "/elsewhere").end()
      said = said.with
    } else if (typeof said === "object" && "after" in said) {
      await said.after
      said = said.then
    } else if (typeof said === "object") {
      const progress = { ...JSON.parse(said.progress), progressToken: params._meta.progressToken }
      const notified = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: progress })
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`data: ${notified}\n\n`)
      said = said.then
    }
    if (said === "hang up") {
      // In the middle of an answer: a browser tries again by itself, even a POST,
      // where a connection it has used before ends without a word.
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": it begins\n\n", () => response.destroy())
    } else if (said !== "say nothing") {
      reply(response, id, /** @type {string} */ (said))
    }
  })
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)))
  const { port } = /** @type {AddressInfo} */ (server.address())
  const scripted = {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    /** It takes no requests at all. */
    closed: false,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return scripted
}

/** @param {ServerResponse} response @param {number} id @param {string} member */
function reply(response, id, member) {
  response.setHeader("Content-Type", "application/json")
  response.end(`{"jsonrpc":"2.0","id":${id},${member}}`)
}

/** A round that asks one form. @param {string} key @param {string} message @param {string} properties JSON text @param {string} [state] */
export function form(key, message, properties, state = "s") {
  return `"result":{"resultType":"input_required","requestState":${JSON.stringify(state)},"inputRequests":{${JSON.stringify(key)}:{"method":"elicitation/create","params":{"message":${JSON.stringify(message)},"requestedSchema":{"type":"object","properties":${properties}}}}}}`
}

/** A tool's result. @param {string} text */
export function done(text) {
  return `"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`
}
