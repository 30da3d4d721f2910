// What came of a call, and what can be done next.

import { explain } from "../../shared-js/failure.js"
import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { says } from "../../shared-js/question.js"
import { isError } from "../../shared-js/result.js"
import { app } from "./app.js"
import { el } from "./element.js"
import { icon } from "./icon.js"
import { primary, quiet, quote } from "./question-card.js"
import { waiting } from "./record.js"
import { shownResult } from "./result.js"

/** @import { Child } from "./element.js" */
/** @import { Failure, GoOn } from "../../shared-js/failure.js" */
/** @import { CallRecord } from "./record.js" */

/**
 * What a call that has ended can have done.
 *
 * @typedef {object} Does
 * @property {(id: string, how?: GoOn) => void} goOn
 * @property {(id: string) => void} discard
 * @property {(record: CallRecord) => void} file gives the person the call as a file, for another program
 * @property {(record: CallRecord) => void} startOver calls anew with the same arguments
 * @property {(record: CallRecord) => void} again the same, but the arguments can be changed first
 * @property {() => void} home goes to where a call is made
 */

/** What to show, nothing while the call runs. @param {CallRecord} record @param {Does} does @returns {Child} */
export function endOf(record, does) {
  switch (record.phase) {
    case "parked":
      return parked(record, does)
    case "stopped":
      return [stopped(record), over(record, does)]
    case "done":
      return [done(record), over(record, does)]
    case "failed":
      return record.failure && failed(record, record.failure, does)
  }
}

/** @param {CallRecord} record @param {Does} does */
function parked(record, { goOn, discard, file }) {
  const asks = waiting(record).map((question) => (question.kind === "authorize" ? el("p", {}, t`${plainLine(record.server, 100)} wants you to sign in before it goes on.`) : quote(says(question))))
  if (record.filed) {
    return panel(
      "parked",
      [icon("parked"), t`Exported to a file`],
      el("p", {}, t`Another program can resume it from there. The file holds a secret: delete it when that is done. Resume here only if no other program does.`),
      asks,
      actions(
        primary(t`Discard it here`, () => discard(record.id)),
        quiet(t`Resume here`, () => goOn(record.id)),
      ),
    )
  }
  return panel(
    "parked",
    [icon("parked"), t`Parked`],
    el("p", {}, t`Everything is kept in this browser: resume whenever you like.`),
    asks,
    actions(
      primary(t`Resume`, () => goOn(record.id)),
      quiet(t`Export to a file`, () => file(record)),
      quiet(t`Discard`, () => discard(record.id)),
    ),
  )
}

/** @param {CallRecord} record */
function stopped({ server, failure, task }) {
  if (task) {
    const told = t`${plainLine(server, 100)} was told to stop it. What it has begun to do may be done all the same.`
    return panel("", t`You stopped this task`, el("p", {}, told))
  }
  const rest = failure?.inDoubt ? ` ${t`What ${plainLine(server, 100)} had begun to do may be done.`}` : ""
  return panel("", t`You stopped this call`, el("p", {}, `${t`Nothing more is sent.`}${rest}`))
}

/** @param {CallRecord} record */
function done({ server, method, result }) {
  const name = plainLine(server, 100)
  const bad = result !== undefined && isError(result)
  return el(
    "div",
    { class: bad ? "result bad" : "result" },
    heading(icon("server"), bad ? t`${name} says it is an error` : t`${name} answered`),
    result === undefined ? el("p", { class: "tip" }, t`The result was too long to be kept.`) : shownResult(method, result),
  )
}

/** @param {CallRecord} record @param {Failure} failure @param {Does} does */
function failed(record, failure, { goOn, discard, startOver }) {
  const { id, server, turns } = record
  const { inDoubt } = failure
  const answered = turns.some(({ type }) => type === "answered")
  const { title, text, said, next } = explain(failure, server, app, answered)
  return panel(
    inDoubt ? "doubt" : "bad",
    [icon("warning"), title],
    text && el("p", {}, plainLine(text, 800)),
    said !== undefined && quote(said, t`${plainLine(server, 100)} says`),
    actions(
      next.map(({ label, how }, i) =>
        el("button", { type: "button", class: i ? "" : inDoubt ? "primary danger" : "primary", onclick: () => (how ? goOn(id, how) : startOver(record)) }, label),
      ),
      quiet(t`Discard`, () => discard(id)),
    ),
  )
}

/** @param {string} kind @param {Child} title @param {...Child} children */
function panel(kind, title, ...children) {
  return el("div", { class: `panel ${kind}` }, heading(title), children)
}

/** What gets the focus when the call ends. @param {...Child} children */
function heading(...children) {
  return el("h3", { tabindex: -1 }, children)
}

/** @param {...Child} ways */
function actions(...ways) {
  return el("div", { class: "actions" }, el("div", { class: "answers" }, ways))
}

/** @param {CallRecord} record @param {Does} does */
function over(record, { again, discard }) {
  return el(
    "div",
    { class: "over" },
    quiet(t`Call again`, () => again(record)),
    quiet(t`Discard`, () => discard(record.id)),
  )
}
