/** An HTTP error status whose body is no JSON-RPC response. */
export class StatusError extends Error {
  /** @param {number} status 0 for a redirect that the browser hides */
  constructor(status) {
    super(`parley: HTTP status ${status}${hint(status)}`)
    this.name = "StatusError"
    this.status = status
  }
}

/** @param {number} status */
function hint(status) {
  if (status === 403) return ": the server does not allow it. A page sees what would be needed only if the server names WWW-Authenticate in Access-Control-Expose-Headers"
  if (status === 401) return ": the server wants authorization; sign in with askers.authorize, or set the transport's authorization"
  if (status === 404 || status === 405) return ": is this the server's MCP endpoint?"
  if (status === 0 || (status >= 300 && status < 400)) return ": the endpoint has moved; redirects are not followed, so give the new URL"
  return ""
}
