// An authorization server and a protected MCP server's metadata, for the tests of
// signing in. They note each request, and can be told to misbehave.
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

/** @import { AddressInfo } from "node:net" */
/** @import { IncomingMessage, ServerResponse } from "node:http" */

/** Who ends what a test has begun, such as node:test's context. @typedef {{after: (end: () => unknown) => void}} Ending */

/** @typedef {{method: string, path: string, query: URLSearchParams, form: URLSearchParams, body: string, authorization: string | undefined}} Seen */
/** May answer in place of the server: then it returns true. @typedef {(seen: Seen, response: ServerResponse, origin: string) => unknown} Answers */

/** @param {ServerResponse} response @param {unknown} body @param {number} [status] */
export function json(response, body, status = 200) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body))
}

/**
 * @param {Ending} t @param {Answers} answers
 * @param {Answers} [instead]
 */
export async function serve(t, answers, instead) {
  /** @type {Seen[]} */
  const seen = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const part of request.setEncoding("utf8")) body += part
    const url = new URL(request.url ?? "", "http://localhost")
    const { method = "" } = request
    const one = { method, path: url.pathname, query: url.searchParams, form: new URLSearchParams(body), body, authorization: request.headers.authorization }
    response.setHeader("Access-Control-Allow-Origin", "*")
    if (method === "OPTIONS") return void response.writeHead(204, { "Access-Control-Allow-Headers": "*" }).end()
    seen.push(one)
    if (instead?.(one, response, origin)) return
    if (!answers(one, response, origin) && !response.writableEnded) response.writeHead(404).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { origin, seen, paths: () => seen.map(({ method, path }) => `${method} ${path}`) }
}

/** @typedef {Awaited<ReturnType<typeof serve>>} Served */

/**
 * @typedef {object} Habits
 * @property {Answers} [instead]
 * @property {Record<string, unknown>} [metadata] changes to it; undefined leaves a member out
 * @property {Document} [document]
 * @property {(callback: URL) => void} [callback] changes the way back
 * @property {Record<string, unknown>} [tokens] changes to each token response
 */

/**
 * An authorization server that lets everybody in, and refresh tokens good for
 * once.
 *
 * @param {Ending} t @param {Habits} [habits]
 */
export async function authorizationServer(t, { instead, metadata, document, callback, tokens } = {}) {
  /** @type {Map<string, {challenge: string, scope: string | null, client: string, redirect: string, resource: string | null}>} */
  const codes = new Map()
  /** @type {Set<string>} */
  const refreshes = new Set()
  /** Every secret that was made. @type {string[]} */
  const secrets = []
  const secret = (/** @type {string} */ kind) => {
    const made = `${kind}-${randomUUID()}`
    secrets.push(made)
    return made
  }
  /** @type {Answers} */
  const answers = ({ method, path, query, form, body, authorization }, response, origin) => {
    if (path === "/.well-known/oauth-authorization-server") {
      metadataIn(document, response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      })
      return true
    }
    if (path === "/register" && method === "POST") {
      json(response, { client_id: `client-${randomUUID()}`, redirect_uris: JSON.parse(body).redirect_uris }, 201)
      return true
    }
    if (path === "/authorize") {
      const redirect = query.get("redirect_uri") ?? ""
      const back = new URL(redirect)
      const code = secret("code")
      codes.set(code, { challenge: query.get("code_challenge") ?? "", scope: query.get("scope"), client: query.get("client_id") ?? "", redirect, resource: query.get("resource") })
      for (const [name, value] of Object.entries({ code, state: query.get("state") ?? "", iss: origin })) back.searchParams.set(name, value)
      callback?.(back)
      response.writeHead(302, { Location: back.href }).end()
      return true
    }
    if (path === "/token" && method === "POST") {
      const give = (/** @type {string | null} */ scope) => {
        const refresh = secret("refresh")
        refreshes.add(refresh)
        json(response, { access_token: secret("access"), token_type: "Bearer", expires_in: 3600, refresh_token: refresh, ...(scope && { scope }), ...tokens })
      }
      if (form.get("grant_type") === "client_credentials") return give(form.get("scope")), true
      if (form.get("grant_type") === "refresh_token") {
        if (refreshes.delete(form.get("refresh_token") ?? "")) give(null)
        else json(response, { error: "invalid_grant" }, 400)
        return true
      }
      const begun = codes.get(form.get("code") ?? "")
      codes.delete(form.get("code") ?? "")
      const verified = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url") === begun?.challenge
      const client = authorization ? decodeURIComponent(atob(authorization.replace("Basic ", "")).split(":")[0] ?? "") : form.get("client_id")
      if (!begun || !verified || begun.client !== client || begun.redirect !== form.get("redirect_uri") || begun.resource !== form.get("resource")) json(response, { error: "invalid_grant" }, 400)
      else give(begun.scope)
      return true
    }
    if (path === "/revoke" && method === "POST") {
      refreshes.delete(form.get("token") ?? "")
      response.writeHead(200).end()
      return true
    }
  }
  return { ...(await serve(t, answers, instead)), secrets, refreshes }
}

/**
 * The metadata of an MCP server at /mcp.
 *
 * @param {Ending} t @param {string[]} issuers @param {{metadata?: Record<string, unknown>, document?: Document, instead?: Answers}} [habits]
 */
export async function protectedServer(t, issuers, { metadata, document, instead } = {}) {
  const served = await serve(
    t,
    ({ path }, response, origin) => {
      if (path !== "/.well-known/oauth-protected-resource/mcp") return
      metadataIn(document, response, { resource: `${origin}/mcp`, authorization_servers: issuers, ...metadata })
      return true
    },
    instead,
  )
  return { ...served, url: `${served.origin}/mcp` }
}

/** How metadata is served: its Content-Type, and what stands before it. @typedef {{type: string, before?: string}} Document */

/** @param {Document | undefined} document @param {import("node:http").ServerResponse} response @param {object} metadata */
function metadataIn({ type, before = "" } = { type: "application/json" }, response, metadata) {
  response.writeHead(200, { "Content-Type": type }).end(before + JSON.stringify(metadata))
}

/** What a person's browser does who says yes to everything: it follows. @param {string} url */
export async function browse(url) {
  const response = await fetch(url, { redirect: "manual" })
  const next = response.headers.get("Location")
  if (next === null) return { status: response.status, text: await response.text() }
  const answer = await fetch(next)
  return { status: answer.status, text: await answer.text(), called: next }
}

/** A question as the engine puts it. @param {Record<string, unknown>} params @returns {import("../dist/index.js").Question} */
export function challenged(params) {
  return /** @type {any} */ ({ ask: -1, key: "", kind: "authorize", params: JSON.stringify({ challenge: "Bearer", ...params }) })
}

/** @returns {{signal: AbortSignal}} */
export function waiting() {
  return { signal: new AbortController().signal }
}
