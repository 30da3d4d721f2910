import { fieldView } from "./field.js"
import { el } from "./element.js"
import { hintOf, needed } from "../input.js"

/** @import { Answer, Asker, AskContext, Askers, Question } from "../../calls/askers.js" */
/** @import { Engine } from "../../engine/index.js" */

/**
 * Askers for a page: a server's forms, and the addresses that it wants opened,
 * as dialogs. They need no style sheet, and work by keyboard and with a screen
 * reader. Send, or Enter in a field, sends it; Esc dismisses it, which the server is told. What the
 * server says stands there as text, never as HTML.
 *
 * @param {Engine} engine
 * @param {{server?: string}} [options] `server` is what the page calls the server; "The server" if absent
 * @returns {Required<Pick<Askers, "elicit" | "elicitURL">>}
 */
export function dialogs(engine, { server = "The server" } = {}) {
  return {
    elicit: (question, context) => askForm(engine, question, context, server),
    elicitURL: (question, context) => askAddress(question, context, server),
  }
}

/** @param {Engine} engine @param {Question} question @param {AskContext} context @param {string} server */
function askForm(engine, question, context, server) {
  const form = engine.questionForm(question)
  const views = form.fields.map((field) => fieldView(form, field))
  const more = hintOf({ unchecked: form.unchecked })
  const note = form.fields.some(needed) && el("p", {}, "Fields marked with * are needed.")
  const send = el("button", { type: "submit" }, "Send")
  return show(context, `${server} asks`, [said(form.message), said(question.problem, "alert"), note, ...views.map(({ element }) => element), more && el("p", {}, more)], send, () => {
    const wrong = views.filter((view) => !view.check())
    wrong[0]?.focus()
    return wrong.length ? undefined : form.accept()
  })
}

/** @param {Question} question @param {AskContext} context @param {string} server */
function askAddress({ params = "{}", host = "", loopback, punycode, repeat }, context, server) {
  const { message, url } = JSON.parse(params) // the engine let it through: http or https, and plain ASCII
  const about = [
    said(String(message ?? "")),
    el("p", {}, "It leads to ", el("strong", {}, host), ":"),
    el("p", {}, el("code", { dir: "ltr" }, url)),
    loopback && el("p", {}, "This page is on your own computer."),
    punycode && el("p", {}, `“${host}” stands for letters beyond a to z: it may look like another name. Open it only if you know it.`),
  ]
  const link = el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, repeat ? "Open the page again" : "Open the page")
  const yes = el("button", { type: "submit" }, repeat ? "I am done" : "I opened it myself")
  if (!repeat) link.addEventListener("click", () => yes.form?.requestSubmit()) // and the browser opens it
  return show(context, repeat ? `${server} waits until you are done on its page` : `${server} wants you to open a page`, [...about, el("p", {}, link)], yes, () => '{"action":"accept"}')
}

/**
 * Shows a dialog until the person answers or the question is moot. What `accept`
 * returns is the answer; undefined keeps the dialog.
 *
 * @param {AskContext} context @param {string} title @param {(Node | string | false | undefined)[]} content
 * @param {HTMLButtonElement} yes submits the form @param {() => string | undefined} accept
 * @returns {Promise<Answer>}
 */
function show({ signal }, title, content, yes, accept) {
  return new Promise((resolve, reject) => {
    const decline = el("button", { type: "button" }, "Decline")
    const dismiss = el("button", { type: "button" }, "Dismiss")
    // It has the focus first, so that what was being typed when the dialog came answers nothing.
    const heading = el("h2", { tabindex: "-1", autofocus: "" }, title)
    const form = el("form", { novalidate: "" }, heading, ...content, el("p", {}, yes, " ", decline, " ", dismiss))
    const dialog = el("dialog", { "aria-label": title }, form)
    const end = (/** @type {() => void} */ settle) => {
      signal.removeEventListener("abort", moot)
      dialog.close() // which gives the focus back
      dialog.remove()
      settle()
    }
    const moot = () => end(() => reject(signal.reason))
    const answer = (/** @type {Answer} */ given) => end(() => resolve(given))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      const given = accept()
      if (given !== undefined) answer(given)
    })
    decline.addEventListener("click", () => answer('{"action":"decline"}'))
    dismiss.addEventListener("click", () => answer('{"action":"cancel"}'))
    dialog.addEventListener("close", () => answer('{"action":"cancel"}')) // by Esc
    signal.addEventListener("abort", moot)
    document.body.append(dialog)
    dialog.showModal()
    heading.focus()
  })
}

/** What the server says, line by line. @param {string | undefined} text @param {string} [role] */
function said(text, role) {
  if (!text) return
  const lines = text.split("\n").flatMap((line) => [el("br"), line])
  return el("p", { dir: "auto", ...(role && { role }) }, ...lines.slice(1))
}
