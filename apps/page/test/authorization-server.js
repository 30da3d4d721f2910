// An authorization server with a page of two buttons: it notes what it is asked,
// and every secret that it makes.

import { createHash, randomUUID } from "node:crypto"
import { createServer } from "node:http"

/** @import { AddressInfo } from "node:net" */
/** @import { ServerResponse } from "node:http" */

/**
 * @typedef {object} Habits
 * @property {boolean} [cors] lets pages read its answers; true if absent
 * @property {boolean} [isolated] its page cuts itself off from who opened it
 * @property {number} [seconds] how long a token is good
 * @property {boolean} [revokes] offers to revoke tokens; true if absent
 * @property {boolean} [refuses] lists offline_access and does not give it, and does not revoke tokens
 */

/** What was allowed. @typedef {{scope: string, resource: string, client: string, redirect: string, challenge: string}} Grant */

/** @param {Habits} [habits] */
export async function startAuthorizationServer(habits = {}) {
  const { cors = true, isolated = true, seconds = 3600, revokes = true, refuses = false } = habits
  /** @type {string[]} */
  const secrets = []
  /** @type {Map<string, Grant>} */
  const codes = new Map()
  /** @type {Map<string, Grant>} */
  const refreshes = new Map()
  /** What may be done with a token. @type {Map<string, string[]>} */
  const access = new Map()
  /** @type {Record<string, number>} */
  const counts = {}
  const secret = (/** @type {string} */ kind) => {
    const made = `${kind}-${randomUUID()}`
    secrets.push(made)
    return made
  }

  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "", origin)
    let body = ""
    for await (const part of request.setEncoding("utf8")) body += part
    const form = new URLSearchParams(body)
    if (request.method === "OPTIONS") return answer({}, 204)
    counts[path] = (counts[path] ?? 0) + 1
    switch (path) {
      case "/.well-known/oauth-authorization-server":
        return answer({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          ...(revokes && { revocation_endpoint: `${origin}/revoke` }),
          ...(refuses && { scopes_supported: ["read", "offline_access"] }),
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
        })
      case "/register":
        return answer({ client_id: `client-${randomUUID()}`, redirect_uris: JSON.parse(body).redirect_uris }, 201)
      case "/authorize":
        if (refuses && query.get("scope")?.includes("offline_access")) return back({ error: "invalid_scope" })
        if (isolated) response.setHeader("Cross-Origin-Opener-Policy", "same-origin")
        response.setHeader("Content-Type", "text/html; charset=utf-8")
        return response.end(page(query))
      case "/decide": {
        const grant = { scope: query.get("scope") ?? "", resource: query.get("resource") ?? "", client: query.get("client_id") ?? "", redirect: query.get("redirect_uri") ?? "", challenge: query.get("code_challenge") ?? "" }
        if (query.get("allow") !== "yes") return back({ error: "access_denied", error_description: "Ada is not in the group “Parley”." })
        const code = secret("code")
        codes.set(code, grant)
        return back({ code })
      }
      case "/token":
        return token(form)
      case "/revoke":
        if (refuses) return answer({ error: "server_error", error_description: "come back at noon" }, 503)
        refreshes.delete(form.get("token") ?? "")
        access.delete(form.get("token") ?? "")
        return answer({})
    }
    answer({}, 404)

    /** Sends the browser back. @param {Record<string, string>} result */
    function back(result) {
      const to = new URL(query.get("redirect_uri") ?? "")
      const said = { state: query.get("state") ?? "", iss: origin }
      secrets.push(said.state)
      for (const [name, value] of Object.entries({ ...result, ...said })) to.searchParams.set(name, value)
      response.writeHead(302, { Location: to.href }).end()
    }

    /** @param {URLSearchParams} form */
    function token(form) {
      const isRefresh = form.get("grant_type") === "refresh_token"
      const [from, key] = isRefresh ? [refreshes, "refresh_token"] : [codes, "code"]
      const grant = from.get(form.get(key) ?? "")
      from.delete(form.get(key) ?? "")
      const verifier = form.get("code_verifier") ?? ""
      if (verifier) secrets.push(verifier)
      const verified = isRefresh || createHash("sha256").update(verifier).digest("base64url") === grant?.challenge
      if (!grant || !verified || grant.client !== form.get("client_id") || grant.resource !== form.get("resource")) return answer({ error: "invalid_grant", error_description: isRefresh ? "what was allowed was taken back" : "" }, 400)
      counts[isRefresh ? "refreshed" : "redeemed"] = (counts[isRefresh ? "refreshed" : "redeemed"] ?? 0) + 1
      const [one, refresh] = [secret("access"), secret("refresh")]
      access.set(one, grant.scope.split(" "))
      refreshes.set(refresh, grant)
      answer({ access_token: one, token_type: "Bearer", expires_in: seconds, refresh_token: refresh, scope: grant.scope })
    }

    /** @param {object} json @param {number} [status] */
    function answer(json, status = 200) {
      /** @type {ServerResponse} */
      const to = response
      to.setHeader("Cache-Control", "no-store")
      if (cors) to.setHeader("Access-Control-Allow-Origin", "*").setHeader("Access-Control-Allow-Headers", "*")
      to.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(json))
    }
  })
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)))
  let origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`
  const elsewhere = origin.replace("127.0.0.1", "localhost")
  return {
    get origin() {
      return origin
    },
    get host() {
      return new URL(origin).host
    },
    /** Where it is after `move`. */
    elsewhere,
    /** It is another one from now on, which knows nothing of what was allowed. */
    move() {
      origin = elsewhere
      this.revoke()
    },
    secrets,
    counts,
    /** What the bearer of a token may do; undefined for one that is not good. @param {string | undefined} header */
    may: (header) => access.get(header?.replace("Bearer ", "") ?? ""),
    /** No access token is good any more. */
    expire: () => access.clear(),
    /** Nothing that was allowed is any more. */
    revoke() {
      access.clear()
      refreshes.clear()
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @param {URLSearchParams} query */
function page(query) {
  const to = (/** @type {string} */ allow) => `/decide?${new URLSearchParams({ ...Object.fromEntries(query), allow })}`.replaceAll("&", "&amp;")
  const way = (/** @type {string} */ allow, /** @type {string} */ name) => `<button type="button" onclick="location.href=this.dataset.to" data-to="${to(allow)}">${name}</button>`
  return `<!doctype html><html lang="en"><title>Who are you?</title><h1>Let Parley in?</h1><p>It asks for: ${query.get("scope") ?? "nothing"}</p>${way("yes", "Allow")} ${way("no", "Deny")}`
}
