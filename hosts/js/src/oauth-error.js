import { quoted } from "./plain-text.js"

/**
 * What kept somebody from signing in. `message` is a sentence for a person,
 * with what to do; no token, code or secret is ever in it.
 */
export class SignInError extends Error {
  /** @param {Reason} code @param {string} detail */
  constructor(code, detail) {
    super(`parley: ${detail}`)
    this.name = "SignInError"
    /** Why, for a program. */
    this.code = code
  }
}

/**
 * - `address`: an address that must not be used
 * - `unreachable`: no answer, or none that can be read
 * - `metadata`: what the server says about itself cannot be used
 * - `issuer`: an authorization server that is not who it should be
 * - `client`: this client is not known there, and cannot be made known
 * - `denied`: the person, or the authorization server, said no
 * - `callback`: what came back from the browser does not belong here
 * - `token`: no token, or none that can be used
 * - `scope`: what is missing was granted already, or cannot be had
 * - `window`: the browser opened none
 * - `nobody`: there is nobody to sign in
 *
 * @typedef {"address" | "unreachable" | "metadata" | "issuer" | "client" | "denied" | "callback" | "token" | "scope" | "window" | "nobody"} Reason
 */

/**
 * What an authorization server said about an error. What is secret in it is not
 * repeated.
 *
 * @param {unknown} error its code @param {unknown} description @param {(string | undefined | null)[]} secrets
 */
export function said(error, description, secrets) {
  const open = (/** @type {unknown} */ text) => typeof text === "string" && text !== "" && !secrets.some((secret) => secret && text.includes(secret))
  const code = open(error) && /^\w{1,40}$/.test(String(error)) ? error : "an error of its own"
  return code + (open(description) ? `, and says ${quoted(String(description))}` : "")
}
