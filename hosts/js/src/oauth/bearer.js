import { challengeOf } from "./challenge.js"
import { SignInError } from "./error.js"
import { isToken } from "./tokens.js"
import { parsed } from "./address.js"

/** @import { Credentials } from "./contract.js" */

/**
 * A token that the host has: one from its settings, or a function that gets the
 * newest. A function is asked again when the server refuses what it gave.
 *
 * @param {string | ((options: {signal?: AbortSignal}) => string | undefined | Promise<string | undefined>)} token
 * @param {{url?: string | URL}} [options] the MCP server, which errors name then
 * @returns {Credentials}
 */
export function bearer(token, { url } = {}) {
  const host = parsed(String(url))?.host ?? "the server"
  /** @type {string | undefined} */
  let given
  const current = async (/** @type {AbortSignal | undefined} */ signal) => {
    const now = typeof token === "function" ? await token({ signal }) : token
    if (now !== undefined && !isToken(now)) throw new SignInError("token", "the token that was given cannot be sent: a character in it, such as a space or the end of a line, cannot be in a header field")
    return now
  }
  return {
    async authorization(signal) {
      given = await current(signal)
      return given && `Bearer ${given}`
    },
    async authorize(question, { signal }) {
      const { status, scopes } = challengeOf(question)
      if ((await current(signal)) !== given) return {}
      if (status === 401) throw new SignInError("token", given === undefined ? `${host} wants a token, and there is none: configure one` : `${host} does not accept the token: it may have ended or be for another server, configure a new one`)
      throw new SignInError("scope", `${host} wants a token with more rights${scopes.length ? ` (${scopes.join(" ")})` : ""}: configure such a one`)
    },
  }
}
