// An authorization server for tests and for the demo: oidc-provider, whose pages ask for a name and for consent.
//
//   node authorization-server.js [--access-token-seconds N] [--client ID] [--offline asked] [--scope S]...
//
// prints {"issuer", "introspection", "id", "secret", "control"} as one line of JSON: where it is, and with what a
// protected server looks tokens up. Clients register themselves, or use the ID, a public client on the loopback
// interface. The control interface:
//
//   GET  control/counts    how often what was done, and what the token endpoint was asked
//   GET  control/secrets   every token, code, verifier and client secret there has been
//   POST control/expire    access tokens are over; refresh tokens are not
//   POST control/revoke    nobody is allowed anything any more, but still signed in
//   POST control/reset     nobody is signed in, either
//   POST control/forget    clients that registered are unknown

import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"

import { Ledger } from "./ledger.js"

URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null) // early versions of Node 20 have none
const { Provider, errors } = await import("oidc-provider")

/** @import { Configuration } from "oidc-provider" */

const day = 24 * 60 * 60

/**
 * @typedef {object} Options
 * @property {number} [accessTokenSeconds] an hour if absent
 * @property {string} [host] an address of this machine; 127.0.0.1 if absent
 * @property {boolean} [registersPages] lets pages register themselves, which oidc-provider alone does not
 * @property {"given" | "asked" | "refused"} [offline]
 *   refresh tokens: given to everybody; or, as oidc-provider has it by itself, to those who ask for offline_access and for consent;
 *   or to nobody, although offline_access is listed. "given" if absent
 * @property {boolean} [rotate] whether a refresh token is used once; true if absent
 * @property {string[]} [scopes] what there is to allow; those of the servers of this folder if absent
 * @property {string} [client] a public client that is registered beforehand
 * @property {Record<string, object>} [documents] client id metadata documents by their URL, read from nowhere else
 * @property {(configuration: Configuration) => void} [change] the last word
 */

/**
 * @typedef {object} AuthorizationServer
 * @property {string} issuer
 * @property {{introspection: string, id: string, secret: string}} lookup with what a protected server looks tokens up
 * @property {string} control
 * @property {Ledger} ledger
 * @property {() => void} expire
 * @property {() => void} revoke
 * @property {() => void} reset
 * @property {() => void} forget
 * @property {() => Promise<void>} close
 */

/** @param {Options} [options] @returns {Promise<AuthorizationServer>} */
export async function startAuthorizationServer(options = {}) {
  const ledger = new Ledger()
  const lookup = { id: "protected-server", secret: randomBytes(24).toString("base64url") }
  ledger.keep(lookup.secret)
  const server = createServer((request, response) => serve(request, response))
  await new Promise((resolve) => server.listen(0, options.host ?? "127.0.0.1", () => resolve(undefined)))
  const address = server.address()
  const issuer = `http://${options.host ?? "127.0.0.1"}:${typeof address === "object" && address?.port}`
  const configuration = configure(ledger, lookup, options)
  options.change?.(configuration)
  const provider = new Provider(issuer, configuration)
  watch(provider, ledger)

  const acts = {
    expire: () => ledger.forget("AccessToken", "ClientCredentials"),
    revoke: () => ledger.forget("AccessToken", "ClientCredentials", "RefreshToken", "AuthorizationCode", "Grant"),
    reset: () => ledger.forget("AccessToken", "ClientCredentials", "RefreshToken", "AuthorizationCode", "Grant", "Session", "Interaction"),
    forget: () => ledger.forget("Client"),
  }
  const controlPath = `/control-${randomBytes(16).toString("base64url")}/`
  /** @type {Record<string, (() => unknown) | undefined>} */
  const controls = {
    "GET counts": () => ({ ...ledger.counts, tokenRequests: ledger.tokenRequests }),
    "GET secrets": () => ledger.secrets(),
    ...Object.fromEntries(Object.entries(acts).map(([name, act]) => [`POST ${name}`, act])),
  }
  const answer = provider.callback()
  /** @type {import("node:http").RequestListener} */
  const serve = (request, response) => {
    if (options.registersPages && request.url === "/reg") {
      response.setHeader("Access-Control-Allow-Origin", "*").setHeader("Access-Control-Allow-Headers", "Content-Type")
      if (request.method === "OPTIONS") return void response.writeHead(204).end()
    }
    if (!request.url?.startsWith(controlPath)) return void answer(request, response)
    const control = controls[`${request.method} ${request.url.slice(controlPath.length)}`]
    response.writeHead(control ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(control?.() ?? {}))
  }
  return {
    issuer,
    lookup: { introspection: `${issuer}/token/introspection`, ...lookup },
    control: issuer + controlPath.slice(0, -1),
    ledger,
    ...acts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** @param {Ledger} ledger @param {{id: string, secret: string}} lookup @param {Options} options @returns {Configuration} */
function configure(ledger, lookup, { accessTokenSeconds = 3600, offline = "given", rotate = true, scopes = ["work", "deploy"], client, documents = {} }) {
  return {
    adapter: (kind) => ledger.adapter(kind),
    clients: [
      { client_id: lookup.id, client_secret: lookup.secret, redirect_uris: [], response_types: [], grant_types: [], token_endpoint_auth_method: "client_secret_basic" },
      ...(client === undefined ? [] : [publicClient(client)]),
    ],
    cookies: { keys: [randomBytes(16).toString("hex")] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    pkce: { required: () => true },
    rotateRefreshToken: rotate,
    // Clients that did not ask for offline_access get one, too: many never heard of it.
    ...(offline === "given" && { issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token") }),
    ...(offline === "refused" && { clientDefaults: { scope: "openid" } }),
    expiresWithSession: async () => false,
    clientBasedCORS: (_context, origin, client) => (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
    renderError: (context, out) => {
      context.type = "text"
      context.body = `${out.error}: ${out.error_description ?? ""}`
    },
    ttl: { AccessToken: accessTokenSeconds, ClientCredentials: accessTokenSeconds, IdToken: day, RefreshToken: day, Grant: day, Session: day, Interaction: day },
    fetch: async (url) => Response.json(documents[String(url)] ?? {}, { status: documents[String(url)] ? 200 : 404 }),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async (_context, client, token) => token.clientId === client.clientId },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: async (_context, client) => client.clientId === lookup.id },
      clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, resource) => {
          if (!/^http:\/\/127\.0\.0\.1:\d+\//.test(resource)) throw new errors.InvalidTarget()
          return { scope: scopes.join(" "), audience: resource, accessTokenFormat: "opaque", accessTokenTTL: accessTokenSeconds }
        },
      },
    },
  }
}

/** A program on a person's machine. Ports of the loopback interface do not count. @param {string} id */
const publicClient = (id) => ({
  client_id: id,
  application_type: /** @type {const} */ ("native"),
  token_endpoint_auth_method: /** @type {const} */ ("none"),
  grant_types: ["authorization_code", "refresh_token"],
  redirect_uris: ["/", "/callback"].map((path) => `http://127.0.0.1${path}`),
})

/** Counts, and keeps what passes by and is nowhere stored. @param {InstanceType<typeof Provider>} provider @param {Ledger} ledger */
function watch(provider, ledger) {
  provider.on("authorization.success", () => ledger.count("authorizations"))
  provider.on("authorization.error", () => ledger.count("authorizationsRefused"))
  provider.on("registration_create.success", () => ledger.count("registrations"))
  provider.on("interaction.started", (_context, prompt) => ledger.count(`asked to ${prompt.name}`))
  provider.use(async (context, next) => {
    await next()
    const { route, params, body } = context.oidc ?? {}
    if (route === "revocation" && context.status === 200) ledger.count("revocations")
    if (route === "registration") ledger.keep(/** @type {any} */ (context.body)?.registration_access_token)
    if (route !== "token") return
    for (const secret of ["code_verifier", "code", "refresh_token", "client_secret", "client_assertion"]) ledger.keep(params?.[secret] ?? body?.[secret])
    const said = /** @type {any} */ (context.body) ?? {}
    for (const secret of ["access_token", "refresh_token", "id_token"]) ledger.keep(said[secret])
    const { grant_type: grant, resource, scope } = /** @type {any} */ (params ?? {})
    const ended = context.status === 200 ? "granted" : String(said.error)
    ledger.tokenRequests.push({ grant: String(grant), resource: String(resource ?? ""), scope: String(scope ?? ""), ended })
    ledger.count(`${grant} ${ended}`)
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: { "access-token-seconds": { type: "string" }, client: { type: "string" }, offline: { type: "string" }, scope: { type: "string", multiple: true } },
  })
  const seconds = values["access-token-seconds"]
  const { issuer, lookup, control } = await startAuthorizationServer({
    client: values.client,
    offline: /** @type {Options["offline"]} */ (values.offline),
    scopes: values.scope,
    accessTokenSeconds: seconds === undefined ? undefined : Number(seconds),
  })
  console.log(JSON.stringify({ issuer, ...lookup, control }))
  process.once("SIGTERM", () => process.exit())
}
