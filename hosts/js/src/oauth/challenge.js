import { scopesIn } from "./scopes.js"

/** @import { Question } from "../calls/askers.js" */

/**
 * What a server wants, as the engine read it.
 *
 * @typedef {object} Challenge
 * @property {401 | 403} status
 * @property {string} text the values of WWW-Authenticate; empty if there are none, or a page may not read them
 * @property {string} [error]
 * @property {string[]} scopes
 * @property {unknown} [metadata] where the server's metadata is
 */

/** @param {Question} question @returns {Challenge} */
export function challengeOf({ params }) {
  const { status, challenge = "", error, scope, resource_metadata: metadata } = JSON.parse(params ?? "{}")
  return { status: status === 403 ? 403 : 401, text: challenge, error, scopes: scopesIn(scope), metadata }
}
