// Signing in: whether at all, and then where, before the browser opens.

import * as vscode from "vscode"

import { says } from "../../shared-js/question.js"
import { continuesThere, hostWarning, leadsTo, movedTo, noScopes, NotNow, scopesTitle, signInTo, why, whyNot } from "../../shared-js/sign-in.js"
import { TOKEN, YES } from "./accounts.js"
import { BACK, Left } from "./leaving.js"
import { openPage } from "./question-url.js"
import { inert, line } from "./shown.js"

/** @import { Answer, Question } from "@parley-mcp/parley" */
/** @import { Change } from "@parley-mcp/parley/oauth" */
/** @import { SignInStep, Wanted } from "./accounts.js" */
/** @import { Sheet } from "./question-sheet.js" */

/** Asks for an access token; false if none was given. @typedef {() => PromiseLike<boolean>} AskToken */

/** A question of a call. Where it is to sign in, `step` says how far that is. @typedef {Question & {step?: SignInStep}} CallQuestion */

/** What a question says, for a list. @param {CallQuestion} question */
export function saysBriefly({ step, ...question }) {
  if (!step) return says(question)
  return step.page ? `Sign in at ${step.page.host}` : signInTo((step.wanted ?? step.change).host)
}

/**
 * Puts a step of a sign-in to the person. Throws if they do not want to.
 *
 * @param {SignInStep} step @param {string} label what the person calls the server @param {Sheet} sheet @param {AskToken} askToken
 * @returns {Promise<Answer>}
 */
export function signInQuestion(step, label, sheet, askToken) {
  const server = line(label, 60)
  if (step.change) return elsewhere(step.change, server, sheet)
  return step.page ? where(step, sheet) : whether(step.wanted, server, sheet, askToken)
}

/** @param {Change} change @param {string} server @param {Sheet} sheet */
async function elsewhere(change, server, sheet) {
  for (;;) {
    const picked = await sheet.pick({
      step: 1,
      total: 1,
      prompt: inert(`${line(movedTo(server, change), 600)} ${continuesThere}`),
      placeholder: "Nothing is sent there before you choose",
      items: [{ label: "$(sign-in) Sign in there", description: "You see where before your browser opens", does: "yes" }, notNow, ...sheet.ways],
    })
    if (picked === BACK) continue
    if ("how" in picked) throw new Left(picked.how)
    if (picked.does === "no") throw new NotNow()
    return YES
  }
}

/** @param {Wanted} wanted @param {string} server @param {Sheet} sheet @param {AskToken} askToken */
async function whether(wanted, server, sheet, askToken) {
  const ended = wanted.over ? ` ${line(whyNot(wanted.over), 900)}` : ""
  const reason = wanted.refused ? "The access token that you have set is not accepted." : why(wanted, server) + ended
  const items = [
    { label: "$(sign-in) Sign in", description: "You see where before your browser opens", does: "yes" },
    { label: "$(key) Use an access token…", description: `One that you have for ${server}`, does: "token" },
    notNow,
    ...sheet.ways,
  ]
  for (;;) {
    const picked = await sheet.pick({
      step: 1,
      total: 1,
      prompt: inert(`${line(signInTo(wanted.host))} ${reason} ${wants(wanted.scopes)}`),
      placeholder: "Nothing is sent before you choose",
      items,
    })
    if (picked === BACK) continue
    if ("how" in picked) throw new Left(picked.how)
    if (picked.does === "no") throw new NotNow()
    if (picked.does === "yes") return YES
    if (await askToken()) return TOKEN
  }
}

/** Stays until the browser is back. @param {Extract<SignInStep, {opened?: boolean}>} step @param {Sheet} sheet @returns {Promise<never>} */
async function where(step, sheet) {
  const { url, host, scopes } = step.page
  const name = line(host)
  const prompt = [leadsTo(host).join(""), wants(scopes), hostWarning(host)].filter(Boolean).join(" ")
  for (;;) {
    const picked = await sheet.pick({
      step: 1,
      total: 1,
      prompt: inert(step.opened ? `Sign in at ${name}, in your browser. It continues here by itself.` : prompt),
      placeholder: step.opened ? "Waiting for your browser" : "Your browser opens when you say so",
      items: [
        { label: inert(`$(link-external) Open ${name}${step.opened ? " again" : ""}`), description: line(url, 100), does: "open" },
        { label: "$(copy) Copy the address", description: "For another browser, if it reaches this window", does: "copy" },
        notNow,
        ...sheet.ways,
      ],
    })
    if (picked === BACK) continue
    if ("how" in picked) throw new Left(picked.how)
    if (picked.does === "no") throw new NotNow()
    if (picked.does === "open") await openPage(url)
    else await vscode.env.clipboard.writeText(url)
    step.opened = true
  }
}

const notNow = { label: "$(circle-slash) Not now", description: "Nobody is signed in", does: "no" }

/** @param {string[]} scopes */
function wants(scopes) {
  return scopes.length ? `${scopesTitle}: ${line(scopes.join(", "), 300)}.` : noScopes
}
