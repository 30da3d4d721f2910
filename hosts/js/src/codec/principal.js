import { utf8 } from "./fields.js"

/**
 * The text of an authenticated principal: a JSON array of the OAuth client, the
 * issuer and the subject, null for what the server does not know. Give the same
 * parts on every instance and in every round, and never the bearer token's
 * text, which changes when it is refreshed.
 *
 * Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 5(a).
 *
 * @param {string | null} client
 * @param {string | null} issuer
 * @param {string | null} subject
 */
export function principal(client, issuer, subject) {
  for (const part of [client, issuer, subject]) {
    if (part !== null) utf8(part) // JSON.stringify would escape a lone surrogate, Go would not
  }
  // Package codec in Go writes these two without JSON's short escapes.
  return JSON.stringify([client, issuer, subject]).replace(/\\[^]/g, (escape) => (escape === "\\b" ? "\\u0008" : escape === "\\f" ? "\\u000c" : escape))
}
