/** @import { AuthorizationServer } from "./discovery.js" */

// Which scopes are asked for, and which count as granted. Go decides the same:
// hosts/testdata/oauth is replayed by both.

/**
 * Asks for a refresh token.
 *
 * Source: OpenID Connect Core 1.0, section 11; MCP 2026-07-28,
 * basic/authorization, Refresh Tokens.
 */
const offline = "offline_access"

/**
 * What decides which scopes a sign-in asks for.
 *
 * @typedef {object} Demand
 * @property {string[]} challenge what the challenge names
 * @property {string[]} resource what the server's metadata names
 * @property {string[]} [before] what this account was granted before
 * @property {AuthorizationServer} server
 * @property {boolean} person whether one signs in: a refresh token spares them the next time
 */

/**
 * The scopes to ask for: first all that is of use, then, for as long as the
 * authorization server refuses them with invalid_scope, without offline_access,
 * and no more than the server wants now. Empty ones mean that no scope is sent,
 * which asks for what the authorization server gives by default.
 *
 * Source: MCP 2026-07-28, basic/authorization, Scope Selection Strategy, and
 * Step-Up Authorization Flow.
 *
 * @param {Demand} demand @returns {string[][]}
 */
export function asksFor({ challenge, resource, before = [], server: { scopes_supported: listed, grant_types_supported: grants }, person }) {
  const wanted = challenge.length ? challenge : resource
  const all = [...new Set([...before, ...wanted])]
  if (!person) return [without(all)]
  if (listed?.includes(offline) && !all.includes(offline) && givesRefreshTokens(grants)) all.push(offline)
  if (!challenge.length && !without(all).length) return [[]] // alone, it would take the place of the default
  return differing([all, without(all), without(wanted)])
}

/** Whether an authorization server gives refresh tokens, as far as its metadata says. @param {string[]} [grants] */
export function givesRefreshTokens(grants) {
  return !grants?.length || grants.includes("refresh_token")
}

/**
 * Whether a page has to be told to ask for consent, without which OpenID Connect
 * has offline_access ignored. Entra ID does not ignore it, and lets most members
 * of an organization give no consent, even where their administrator has.
 *
 * @param {string[]} scopes @param {URL} page
 */
export function wantsConsent(scopes, { hostname }) {
  return scopes.includes(offline) && !/(^|\.)(microsoftonline\.(com|us|cn)|ciamlogin\.com)$/.test(hostname)
}

/**
 * The scopes of a token, by what its answer says of them. Nothing said means
 * those that were asked for.
 *
 * Source: RFC 6749, 5.1. Lists with commas (GitHub) and arrays are not in it.
 *
 * @param {unknown} told @param {string[]} asked
 */
export function grantedBy(told, asked) {
  const text = Array.isArray(told) ? told.filter((one) => typeof one === "string").join(" ") : told
  const spaced = typeof text === "string" && !asked.some((scope) => scope.includes(",")) ? text.replaceAll(",", " ") : text
  const scopes = scopesIn(spaced)
  return scopes.length ? scopes : asked
}

/**
 * The scopes to refresh a token with, one after the other for as long as the
 * authorization server refuses them with invalid_scope: those that were granted,
 * those that were asked for, and none.
 *
 * Source: RFC 6749, 6.
 *
 * @param {string[]} granted @param {string[]} [asked]
 */
export function refreshAsks(granted, asked = granted) {
  return differing([granted, asked, []])
}

/** The scopes of a list, as far as they are some (RFC 6749, 3.3). @param {unknown} text */
export function scopesIn(text) {
  return typeof text === "string" ? [...new Set(text.split(/\s+/))].filter((scope) => /^[!#-[\]-~]{1,256}$/.test(scope)).slice(0, 100) : []
}

/** Whether all of some scopes are among others. @param {string[]} wanted @param {string[]} granted */
export function granted(wanted, granted) {
  return wanted.every((scope) => granted.includes(scope))
}

/** @param {string[]} some @param {string[]} others */
export function sameScopes(some, others) {
  return granted(some, others) && granted(others, some)
}

/** @param {string[]} scopes */
function without(scopes) {
  return scopes.filter((scope) => scope !== offline)
}

/** Those that are not as the ones before. @param {string[][]} asks */
function differing(asks) {
  return asks.filter((ask, i) => !sameScopes(ask, asks[i - 1] ?? ["none"]))
}
