// Signing in is one more question: what it says, and who signs in where.

import { translated, t } from "./language.js"
import { plainLine } from "./plain.js"
import { member, string } from "./raw-json.js"
import { warning } from "./question.js"
import { asSentence } from "./words.js"

/** @import { SignedOut } from "../../hosts/js/dist/oauth/web.js" */
/** @import { Answer, AskContext, Asker, Question } from "./parley.js" */

/**
 * Who is signed in at a server, and how somebody signs in there.
 *
 * @typedef {object} AccountAt
 * @property {() => KnownAccount | undefined | Promise<KnownAccount | undefined>} account that is signed in, undefined if there is none
 * @property {(question: Question, context: AskContext, ask?: Asker) => Answer | Promise<Answer>} authorize
 *   answers a challenge. Where a person has to be asked, they are by `ask`; it is absent where no call wants it, but a
 *   list of what the server offers
 */

/** An account by its label, with the labels of the accounts that it replaces. @typedef {{label: string, replaces?: string[]}} KnownAccount */

/** Whether a call with a principal is the account's. @param {KnownAccount} account @param {string} principal */
export function isOf({ label, replaces }, principal) {
  return label === principal || replaces?.includes(principal) === true
}

/** Why a person who was asked to sign in did not. */
export class NotNow extends Error {
  constructor() {
    super(t`you chose not to sign in now`)
    this.name = "NotNow"
    this.ours = true
  }
}

/** What a server wants. @param {Pick<Question, "params">} question */
export function wanted({ params = "{}" }) {
  const scopes = [...new Set((string(member(params, "scope")) ?? "").split(" ").filter(Boolean))]
  return { status: member(params, "status") === "403" ? /** @type {const} */ (403) : /** @type {const} */ (401), error: string(member(params, "error")), scopes }
}

/** What is asked. @param {string} host of the server */
export function signInTo(host) {
  return t`Sign in to ${plainLine(host, 100)}?`
}

/** The server has people sign in elsewhere than before. @param {string} server what the person calls it @param {{account: {issuer: string}, issuer: string}} change */
export function movedTo(server, { account, issuer }) {
  return t`${server} has people sign in at ${hostOf(issuer)} now, no longer at ${hostOf(account.issuer)}.`
}

/** What it means to agree. */
export const continuesThere = t`If you sign in there, what you began with the old account continues with the new one.`

/** @param {string} issuer */
function hostOf(issuer) {
  return plainLine(URL.canParse(issuer) ? new URL(issuer).host : issuer, 200)
}

/** Why it is asked. @param {{status: number, error?: string}} wanted @param {string} server what the person calls it */
export function why({ status, error }, server) {
  if (status === 403) return t`You are signed in, but for this ${server} wants you to allow more.`
  return error === "invalid_token" ? t`${server} no longer accepts the last sign-in.` : t`${server} wants to know who you are.`
}

/** What stands over the scopes: they are the server's words. */
export const scopesTitle = t`It asks for`

/** Said where a server does not name any. */
export const noScopes = t`It does not say what for.`

/** Where the person signs in, once that is known: the second text is the host, which stands out, and the last is what follows from it. @param {string} host of the authorization server @returns {[before: string, host: string, then: string]} */
export function leadsTo(host) {
  return [t`You sign in at `, plainLine(host, 200), t`What you type there goes to it, and not through here.`]
}

/** What a host's name is to be met with. @param {string} host @returns {string | undefined} */
export function hostWarning(host) {
  return /(^|\.)xn--/i.test(host) ? warning(host) : undefined
}

/** What is shown of a sentence about signing in, in characters: the library cuts the words of others in it off earlier. */
const mostSaid = 1200

/** Why a sign-in came to nothing, as a sentence. It holds no secret. @param {unknown} error a SignInError, or anything else; with `ours` its message is in the person's language */
export function whyNot(error) {
  const words = error instanceof Error ? error.message : String(error)
  const said = asSentence(plainLine(words.replace(/^parley: /, ""), mostSaid))
  const { ours = false, code = "" } = /** @type {{ours?: boolean, code?: string}} */ (error instanceof Error ? error : {})
  return ours || !translated ? said : `${reasons[code] ?? t`Signing in did not work.`} ${t`Technical details: ${said}`}`
}

/** Why, by the code of a SignInError; the library's own words say more, in English. @type {Record<string, string>} */
const reasons = {
  address: t`Signing in would use an address that must not be used.`,
  unreachable: t`There is no usable answer from where you sign in.`,
  metadata: t`What the server says about signing in cannot be used.`,
  issuer: t`The authorization server is not the one it should be.`,
  client: t`The authorization server does not know this app.`,
  denied: t`The authorization server did not allow it.`,
  callback: t`What came back from the browser does not belong to this sign-in.`,
  token: t`No usable access came.`,
  scope: t`What is missing was allowed already, or cannot be had.`,
  window: t`Your browser did not let this page open a window.`,
  nobody: t`There is nobody to sign in.`,
}

/** What became of it, for who reads the call later. @param {string} host of the authorization server */
export function signedIn(host) {
  return t`You signed in at ${plainLine(host, 200)}.`
}

/** Why a call is not resumed. @param {string} server what the person calls it */
export function ofAnother(server) {
  return t`this call was made with another account at ${server} than the one that is signed in there now: sign out, and sign in with the account that it was made with`
}

/** What signing out has done. @param {string} host of the authorization server @param {SignedOut} out */
export function signedOut(host, { revoked, why }) {
  const name = plainLine(host, 200)
  if (revoked) return t`Signed out. ${name} no longer accepts what was kept here.`
  const here = t`Signed out here: what was kept is gone. ${name} did not say that it revoked it, so it may be good until it ends by itself.`
  return why ? `${here} ${t`Technical details: ${asSentence(plainLine(why, mostSaid))}`}` : here
}
