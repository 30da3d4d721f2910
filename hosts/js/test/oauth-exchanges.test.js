// What is asked for, answered and granted at authorization servers, and what of their words is repeated: the files of
// hosts/testdata/oauth, which Go replays, too. README.md there says what their members mean.
import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"

import { clientCredentials, signIn } from "../dist/oauth/node.js"
import { heard } from "../dist/oauth/refusal-text.js"
import { equal, ok } from "./assert.js"
import { authorizationServer, browse, challenged, json, protectedServer, waiting } from "./oauth-servers.js"

/** @import { TestContext } from "node:test" */
/** @import { ServerResponse } from "node:http" */
/** @import { SignInError } from "../dist/oauth/node.js" */

/** @typedef {{status: number, type?: string, body?: unknown, error?: string, error_description?: string}} Refused */
/** @typedef {{to: "authorize" | "token" | "revoke", scope?: string, prompt?: string, grant?: string, refresh_token?: string, answer?: Record<string, unknown>, refuse?: Refused}} Sent */
/** @typedef {{challenge?: {status: 401 | 403, scope?: string}, renew?: true, signOut?: true, sent?: true, asked?: number, over?: string, sends: Sent[], granted?: string[], fails?: {says: string | null}}} Step */
/** @typedef {{program?: true, resource?: Record<string, unknown>, server?: Record<string, unknown>, document?: {type: string, before?: string}, refuse?: Record<string, Refused>, steps: Step[]}} Exchange */

const folder = new URL("../../testdata/oauth/", import.meta.url)
const exchanges = new URL("exchanges/", folder)
const files = readdirSync(exchanges).sort()

test("there are exchanges to replay", () => ok(files.length >= 50, `only ${files.length}`))

for (const file of files) {
  test(`exchange ${file.replace(".json", "")}`, (t) => replay(t, JSON.parse(readFileSync(new URL(file, exchanges), "utf8"))))
}

for (const { what, type, body, secrets = [], code = "", words = "" } of JSON.parse(readFileSync(new URL("words.json", folder), "utf8"))) {
  test(`words: ${what}`, () => equal(heard(type, body, secrets), { code, words }))
}

/** @param {TestContext} t @param {Exchange} exchange */
async function replay(t, { program, resource, server = {}, document, refuse = {}, steps }) {
  /** @type {Sent[]} */
  let left = []
  /** @type {string[]} */
  const wrong = []
  /** @param {Sent["to"]} to @param {URLSearchParams} form @returns {Sent} */
  const next = (to, form) => {
    const [sent] = left
    if (sent?.to !== to) {
      wrong.push(`a request to ${to} that was not to come: ${form.get("scope")}`)
      return { to, refuse: { status: 400, error: "server_error", body: "" } }
    }
    if (to !== "revoke") left = left.slice(1) // how many tokens are revoked is a host's affair
    const { scope, prompt, grant: grant_type, refresh_token = form.get("refresh_token") } = sent
    for (const [name, want = null] of Object.entries({ scope, prompt, grant_type, refresh_token })) {
      if (form.get(name) !== want) wrong.push(`a request to ${to} has ${name} ${form.get(name)}, want ${want}`)
    }
    if (to !== "revoke" && form.get("resource") !== mcp.url) wrong.push(`a request to ${to} does not name the resource`)
    return sent
  }
  let made = 0
  const secret = (/** @type {string} */ kind) => {
    as.secrets.push(`${kind}-s3cret-${++made}`)
    return as.secrets.at(-1)
  }
  const as = await authorizationServer(t, {
    metadata: { authorization_response_iss_parameter_supported: undefined, ...server },
    document,
    instead({ method, path, query, form }, response) {
      if (path === "/.well-known/oauth-authorization-server" && refuse.metadata) return write(response, refuse.metadata)
      if (path === "/register" && refuse.register) return write(response, refuse.register)
      if (path === "/authorize") {
        as.secrets.push(query.get("state") ?? "")
        const { refuse } = next("authorize", query)
        const back = new URL(query.get("redirect_uri") ?? "")
        back.searchParams.set("state", query.get("state") ?? "")
        if (refuse) for (const name of /** @type {const} */ (["error", "error_description"])) back.searchParams.set(name, filled(refuse[name] ?? "", query))
        else back.searchParams.set("code", secret("code") ?? "")
        return response.writeHead(302, { Location: back.href }).end()
      }
      if (method !== "POST") return
      if (path === "/token") {
        for (const name of ["code", "code_verifier", "refresh_token"]) if (form.has(name)) as.secrets.push(form.get(name) ?? "")
        const { answer, refuse } = next("token", form)
        if (refuse) return write(response, refuse, form)
        json(response, { access_token: secret("access"), token_type: "Bearer", expires_in: 0.001, refresh_token: secret("refresh"), ...answer })
        return true
      }
      if (path === "/revoke") {
        const { refuse } = next("revoke", new URLSearchParams())
        return refuse ? write(response, refuse) : response.writeHead(200).end()
      }
    },
  })
  const mcp = await protectedServer(t, [as.origin], { metadata: resource, document })
  let asked = 0
  /** @type {{over?: SignInError}} */
  let told = {}
  const login = program
    ? clientCredentials({ url: mcp.url, clientId: "program", clientSecret: "program-s3cret" })
    : signIn({ url: mcp.url, ask: (prompt) => void (asked++, (told = prompt)), open: ({ url }) => void browse(`${as.origin}/authorize${new URL(url).search}`) })

  for (const [i, step] of steps.entries()) {
    left = step.sends
    asked = 0
    told = {}
    const at = `step ${i}`
    const { challenge, renew, fails } = step
    let failed = ""
    if (step.sent) await login.authorization()
    try {
      if (challenge) await login.authorize(challenged(challenge), waiting())
      else if (renew) await ended().then(() => login.authorization())
      else failed = (await login.signOut()).why ?? ""
    } catch (error) {
      if (!fails) throw error
      for (let e = /** @type {any} */ (error); e; e = e.cause) for (const one of as.secrets) if (one && `${e.stack} ${JSON.stringify(e)}`.includes(one)) wrong.push("a secret is in an error")
      failed = error instanceof Error ? error.message : String(error)
    }
    equal(wrong, [], at)
    if (!step.signOut) equal(left, [], `${at}: requests that were not sent`)
    equal(asked, step.asked ?? 0, `${at}: how often a person was asked`)
    if (step.over !== undefined) ok(told.over?.message.includes(`“${step.over}”`), `${at}: the person was told ${told.over?.message}`)
    equal(failed !== "", fails !== undefined, `${at}: ${failed}`)
    if (fails) ok(fails.says === null ? !failed.includes("“") : failed.includes(`“${fails.says}”`), `${at}: ${failed}`)
    if (step.granted) equal((await login.account())?.scopes, step.granted, at)
  }
}

/** Waits until a token that is over as soon as it begins is. */
function ended() {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

/** @param {ServerResponse} response @param {Refused} refused @param {URLSearchParams} [form] */
function write(response, { status, type = "application/json", body }, form) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, { "Content-Type": type }).end(filled(text, form))
  return true
}

/** Puts what a request has sent in the place of its names in braces. @param {string} text @param {URLSearchParams} [form] */
function filled(text, form) {
  return text.replace(/\{(\w+)\}/g, (braces, name) => form?.get(name) ?? braces)
}
