// A plain client: what is on the wire, step by step, with nothing of Parley's. It tells whether the servers keep what
// they promise.

import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"

/** A listener for one redirect on the loopback interface. */
export async function startCallback() {
  /** @type {(query: URLSearchParams) => void} */
  let came = () => {}
  /** @type {Promise<URLSearchParams>} */
  const query = new Promise((resolve) => (came = resolve))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    if (url.pathname !== "/callback") return void response.writeHead(404).end()
    response.end("You can close this window.")
    came(url.searchParams)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  const address = server.address()
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { uri: `http://127.0.0.1:${typeof address === "object" && address?.port}/callback`, query, close }
}

/** Sends one leg of a tool. @param {string} url @param {string} tool @param {{token?: string, more?: object, named?: string}} [options] `named`: in the header field */
export async function leg(url, tool, { token, more, named = tool } = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "plain", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  }
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": named,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomBytes(4).toString("hex"), method: "tools/call", params: { name: tool, arguments: {}, ...more, _meta } }),
  })
  const text = await response.text()
  const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  return {
    status: response.status,
    challenge: response.headers.get("WWW-Authenticate") ?? "",
    exposed: response.headers.get("Access-Control-Expose-Headers") ?? "",
    result: response.ok ? JSON.parse(json).result : undefined,
    text,
  }
}

/** A parameter of a Bearer challenge. @param {string} challenge @param {string} name */
export const parameter = (challenge, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1]

/** A client that registers itself and signs in, as often as it is told. */
export class PlainClient {
  /** @param {string} issuer @param {string} resource @param {string} redirect */
  static async register(issuer, resource, redirect) {
    const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()
    const response = await fetch(metadata.registration_endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        client_name: "plain",
        application_type: "native",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      }),
    })
    if (response.status !== 201) throw new Error(`registering: HTTP status ${response.status}: ${await response.text()}`)
    return new PlainClient(metadata, (await response.json()).client_id, resource)
  }

  /** @param {any} metadata @param {string} id @param {string} resource */
  constructor(metadata, id, resource) {
    this.metadata = metadata
    this.id = id
    this.resource = resource
    this.verifier = randomBytes(32).toString("base64url")
  }

  /** Where the person signs in. @param {string} redirect @param {string} scope */
  authorizationURL(redirect, scope) {
    const url = new URL(this.metadata.authorization_endpoint)
    const challenge = createHash("sha256").update(this.verifier).digest("base64url")
    const parameters = { response_type: "code", client_id: this.id, redirect_uri: redirect, scope, resource: this.resource, state: "any", code_challenge: challenge }
    for (const [name, value] of Object.entries({ ...parameters, code_challenge_method: "S256" })) url.searchParams.set(name, value)
    return url.href
  }

  /** Asks the token endpoint, or another. @param {Record<string, string>} parameters @param {string} [endpoint] */
  async token(parameters, endpoint = this.metadata.token_endpoint) {
    const response = await fetch(endpoint, { method: "POST", body: new URLSearchParams({ client_id: this.id, ...parameters }) })
    const text = await response.text()
    return { status: response.status, ...(text ? JSON.parse(text) : {}) }
  }

  /** @param {string} code @param {string} redirect */
  exchange(code, redirect) {
    return this.token({ grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: this.verifier, resource: this.resource })
  }

  /** @param {string} refresh */
  refresh(refresh) {
    return this.token({ grant_type: "refresh_token", refresh_token: refresh, resource: this.resource })
  }
}
