import { hostHeaderValidationResponse, localhostAllowedHostnames } from "@modelcontextprotocol/server"

/** @import { Fetch } from "./users.js" */

/**
 * Lets pages of the given origins call next and refuses those of any other.
 * Programs, which send no Origin, are not affected.
 *
 * Source: MCP 2026-07-28, basic/transports/streamable-http, security warning:
 * servers MUST validate the Origin header.
 *
 * @param {string[]} origins
 * @param {Fetch} next
 * @returns {Fetch}
 */
export function allowOrigins(origins, next) {
  return async (request, options) => {
    // A page that has its name resolve to this machine sends that name.
    const foreign = hostHeaderValidationResponse(request, localhostAllowedHostnames())
    if (foreign) return foreign
    const origin = request.headers.get("Origin")
    if (origin === null) return next(request, options)
    if (!origins.includes(origin)) return new Response("pages of this origin may not call the server", { status: 403 })
    const response = request.method === "OPTIONS" ? new Response(null, { status: 204, headers: preflight }) : await next(request, options)
    const answer = new Response(response.body, response)
    answer.headers.set("Access-Control-Allow-Origin", origin)
    answer.headers.append("Vary", "Origin")
    return answer
  }
}

const preflight = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
  "Access-Control-Max-Age": "600",
}
