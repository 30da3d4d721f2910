/**
 * What kept somebody from signing in. `message` is a sentence for a person,
 * with what to do, and with what the authorization server says, between “ and ”;
 * no token, code or secret is ever in it.
 */
export class SignInError extends Error {
  /** @param {Reason} code @param {string} detail @param {string} [refused] */
  constructor(code, detail, refused) {
    super(`parley: ${detail}`)
    this.name = "SignInError"
    /** Why, for a program. */
    this.code = code
    /** The error code that the authorization server gave, such as `invalid_scope`. */
    this.refused = refused
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
