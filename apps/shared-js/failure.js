// Why a call ended without a result, and what can be done next, in words.

import { t } from "./language.js"
import { Code, Failure as CallFailure, StatusError } from "./parley.js"
import { member, string } from "./raw-json.js"
import { whyNot } from "./sign-in.js"
import { spoken } from "./spoken.js"
import { asSentence } from "./words.js"

/** @import { Begin, Failed, Sentence } from "./parley.js" */

/**
 * Why a call ended without a result, as plain data.
 *
 * @typedef {object} Failure
 * @property {number} code one of Code
 * @property {string} detail
 * @property {Sentence} [sentence] the detail, to be translated; absent in what was kept by an older app
 * @property {boolean} resumable
 * @property {boolean} [inDoubt] no answer to a tool call came and the tool may have run
 * @property {string} [response] the server's JSON-RPC error, JSON text
 * @property {number} [status] of HTTP, where the server's answer was nothing else
 */

/** How to go on with a call, as a person decides. @typedef {Pick<Begin, "resend" | "again" | "moreRounds">} GoOn */

/** What can be done next: go on, or without `how` call anew with the same arguments. @typedef {{label: string, how?: GoOn}} Next */

/** @typedef {{title: string, text: string, said?: string, next: Next[]}} Explained `said` is the server's text; `next` begins with what helps most */

/**
 * How an app speaks of itself: its name, and what goes on after "its new address
 * has to" and after "wants to know who you are". `forbidden` is a sentence to add
 * where a server does not allow something.
 *
 * @typedef {{name: string, address: string, access: string, forbidden?: string}} App
 */

/** How many more rounds a server may ask in when somebody goes on with its call. */
const moreRounds = 10

/** @param {Failure} failure @param {string} server what the person calls it @param {App} app @param {boolean} [answered] something was @returns {Explained} */
export function explain(failure, server, app, answered = false) {
  const { code, resumable, response, status, inDoubt } = failure
  const kept = answered && resumable && code !== Code.state ? t`Your answers are kept.` : ""
  const bare = response === undefined && status !== undefined && t`${server} answered with HTTP status ${String(status)}`
  const doubt = inDoubt && t`Find out if you can. Sent again, it may be done twice.`
  return {
    title: inDoubt ? t`It is not known whether this was done` : bare || (titles[code] ?? t`The call failed`),
    text: [reason(failure, server, app), doubt || texts[code], kept].filter(Boolean).join(" "),
    said: response && serverSays(response),
    next: resumable ? goingOn(code, inDoubt) : [anew],
  }
}

/** A failure as plain data. @param {Failed} failed @returns {Failure} */
export function failureOf({ code, detail, sentence, resumable, inDoubt, response, cause }) {
  const failure = { code, detail, sentence, resumable, inDoubt, response, status: statusOf(cause) }
  return code === Code.unauthorized && cause instanceof Error ? { ...failure, detail: whyNot(cause), sentence: undefined } : failure
}

/** The HTTP status that a server answered with, where that was all. @param {unknown} cause */
function statusOf(cause) {
  return cause instanceof StatusError ? cause.status : undefined
}

/** The failure of a call that did not begin: what was kept cannot be used here, or there is no way to the server. @param {unknown} error @param {string} [snapshot] @returns {Failed} */
export function notBegun(error, snapshot) {
  const { code = Code.snapshot, message, sentence } = /** @type {{code?: number, message: string, sentence?: Sentence}} */ (error instanceof Error ? error : { message: String(error) })
  return { status: "failed", code, detail: message.replace(/^parley: /, ""), sentence, resumable: snapshot !== undefined, snapshot, cause: error }
}

/** Why a server does not say what it offers. @param {unknown} error @param {App} app */
export function whyNoOffer(error, app) {
  if (!(error instanceof CallFailure)) return said(error, app)
  if (error.status === "parked") return t`It asked something first.`
  const { code, detail, sentence, response, cause } = error
  if (code === Code.unauthorized && cause instanceof Error) return whyNot(cause)
  return response === undefined ? reason({ code, detail, sentence, status: statusOf(cause) }, t`It`, app) || t`No usable answer came` : t`It answered with an error: ${serverSays(response)}`
}

/** Words of nobody we know, such as those of an app before this one. @param {string} detail @returns {Sentence} */
const sentenceOf = (detail) => ({ template: "{0}", params: [detail] })

/** What the engine and the transport say of a failure, and what to do about an HTTP status. @param {Partial<Failure>} failure @param {string} server @param {App} app */
function reason({ code, detail = "", sentence = sentenceOf(detail), response, status }, server, app) {
  if (response !== undefined || code === Code.canceled) return ""
  const words = asSentence(spoken(sentence, app.name))
  const advice = status === undefined ? undefined : (statuses[status] ?? statuses[Math.floor(status / 100)])
  return [words, advice?.(server, app)].filter(Boolean).join(" ")
}

/** What an error says: in the person's language, if it is one of the engine's or the library's. @param {unknown} error @param {App} app */
function said(error, { name }) {
  const { sentence, message } = /** @type {{sentence?: Sentence, message: string}} */ (error instanceof Error ? error : { message: String(error) })
  return sentence ? asSentence(spoken(sentence, name)) : message
}

/** The error of a server in its own words. @param {string} response JSON text */
function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  const data = member(response, "data")
  return t`${message} (error ${member(response, "code") ?? t`without a code`}${data && data !== "null" ? `, ${data}` : ""})`
}

/** @type {Next} */
const anew = { label: t`Start over` }

/** @param {number} code @param {boolean} [inDoubt] @returns {Next[]} */
function goingOn(code, inDoubt) {
  if (inDoubt) return [{ label: t`Send again`, how: { resend: true, moreRounds } }]
  if (code === Code.state) return [{ label: t`Start over`, how: { again: true } }]
  const retry = { label: code === Code.unauthorized ? t`Sign in` : t`Try again`, how: { moreRounds } }
  return code === Code.snapshot ? [anew, retry] : [retry]
}

/** @type {Record<number, string>} */
const titles = {
  [Code.instance]: t`The engine broke down`,
  [Code.malformed]: t`The server’s answer makes no sense`,
  [Code.resultType]: t`The server’s answer is of an unknown kind`,
  [Code.limit]: t`The server asked for too much`,
  [Code.rounds]: t`The server keeps asking`,
  [Code.waits]: t`The server is still busy`,
  [Code.rpc]: t`The server answered with an error`,
  [Code.state]: t`The server does not accept the answers any more`,
  [Code.lost]: t`No usable answer came`,
  [Code.legTimeout]: t`The server did not answer in time`,
  [Code.refused]: t`It cannot continue without your answer`,
  [Code.canceled]: t`The call was interrupted`,
  [Code.capability]: t`The server asked for what it may not`,
  [Code.snapshot]: t`What was kept of this call cannot be read`,
  [Code.peer]: t`What was kept is of another server or account`,
  [Code.task]: t`The task ended without a result`,
  [Code.unauthorized]: t`It cannot continue without a sign-in`,
  [Code.form]: t`Parley refused what the server asks for`,
}

/** What the engine's own words do not say. @type {Record<number, string>} */
const texts = {
  [Code.malformed]: t`Nobody was asked anything that could not be sent back. Its author has to repair that.`,
  [Code.rounds]: t`You can let it ask more.`,
  [Code.waits]: t`You can try again.`,
  [Code.state]: t`They came too late, or the server has changed. Start over, and what it asks again is filled in already, for you to send.`,
  [Code.canceled]: t`You can resume it.`,
  [Code.capability]: t`Nobody was asked. It had been told beforehand what it may ask for.`,
  [Code.form]: t`You were not asked, and the server got no answer. Its author has to change the form.`,
}

/** What to do about an HTTP status, or a whole class of them, if the engine's own words do not say it. @type {Record<number, (server: string, app: App) => string>} */
const statuses = {
  0: moved,
  3: moved,
  401: (server, { access }) => t`${server} wants to know who you are${access}.`,
  403: (_, { forbidden = "" }) => forbidden,
  404: elsewhere,
  405: elsewhere,
  5: (server) => t`${server} is in trouble, or something on the way there: try again later.`,
}

/** @param {string} server @param {App} app */
function moved(server, { address }) {
  return t`${server} has moved: its new address has to ${address}.`
}

/** @param {string} server @param {App} app */
function elsewhere(server, { address }) {
  return t`${server} may have another address, which has to ${address}.`
}
