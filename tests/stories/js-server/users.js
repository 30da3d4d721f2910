import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"

import { OAuthError, OAuthErrorCode, requireBearerAuth } from "@modelcontextprotocol/server"

/** @import { McpHandlerRequestOptions } from "@modelcontextprotocol/server" */

/**
 * People by the SHA-256 of their bearer tokens, so that looking one up tells
 * nothing of the others. A real server verifies the tokens of an authorization
 * server; that a requestState belongs to a user is the same there.
 *
 * @typedef {Map<string, string>} Users
 */

/** The fewest characters of a token: nobody guesses them. */
const minToken = 16

/**
 * Reads lines "user token"; empty ones and those that begin with "#" are
 * skipped. An error says which line is wrong, and nothing of what is on it.
 *
 * @param {string} name
 * @returns {Promise<Users>}
 */
export async function readUsers(name) {
  const users = new Map()
  for (const [i, line] of (await readFile(name, "utf8")).split("\n").entries()) {
    const fields = line.trim().split(/\s+/)
    if (fields[0] === "" || fields[0]?.startsWith("#")) continue
    const [user, token] = fields
    if (fields.length !== 2 || token === undefined) throw new Error(`${name}: line ${i + 1}: expected "user token"`)
    if (token.length < minToken) throw new Error(`${name}: line ${i + 1}: a token has at least ${minToken} characters`)
    if (users.has(digest(token))) throw new Error(`${name}: line ${i + 1}: a token of two users`)
    users.set(digest(token), user)
  }
  if (users.size === 0) throw new Error(`${name}: there is no user in it`)
  return users
}

/** @param {string} token */
function digest(token) {
  return createHash("sha256").update(token).digest("hex")
}

/** @typedef {(request: Request, options?: McpHandlerRequestOptions) => Promise<Response>} Fetch */

/**
 * Lets requests with a user's token through, all if there are no users.
 *
 * @param {Users | undefined} users
 * @param {Fetch} next
 * @returns {Fetch}
 */
export function onlyUsers(users, next) {
  if (!users) return next
  const gate = requireBearerAuth({
    verifier: {
      async verifyAccessToken(token) {
        const user = users.get(digest(token))
        if (user === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, "unknown token")
        return { token, clientId: "", scopes: [], expiresAt: Math.floor(Date.now() / 1000) + 3600, extra: { user } }
      },
    },
  })
  return async (request) => {
    const authInfo = await gate(request)
    return authInfo instanceof Response ? authInfo : next(request, { authInfo })
  }
}
