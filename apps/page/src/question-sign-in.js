import { t } from "../../shared-js/language.js"
import { continuesThere, hostWarning, leadsTo, movedTo, noScopes, scopesTitle, signInTo, why } from "../../shared-js/sign-in.js"
import { el, fill, newId } from "./element.js"
import { button, primary, QuestionCard, quiet } from "./question-card.js"
import { shownLine } from "./shown.js"

/** @import { Child } from "./element.js" */
/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { SigningIn } from "./sign-in.js" */

/**
 * A call that cannot go on until somebody has signed in. The window is opened by
 * a press of a button, and this page learns nothing of what is typed there.
 *
 * @param {SigningIn | undefined} signingIn nothing in a tab that does not run the call
 * @param {OpenQuestion} question
 * @param {Desk} desk
 * @returns {QuestionView}
 */
export function signInQuestion(signingIn, question, desk) {
  const card = new QuestionCard(question, desk, { wants: t`wants you to sign in`, name: "account" })
  if (!signingIn) {
    card.body(el("p", {}, t`Sign in in the tab that runs this call: it goes on there.`))
    card.offer([])
    return card
  }
  const parts = new SignInParts(signingIn, desk.server, (body, answers) => {
    card.body(body)
    card.offer(answers)
  })
  return Object.assign(card, { focus: () => parts.focus() })
}

/** What a server offers is shown to who has signed in. @param {SigningIn} signingIn @param {string} server what the person calls it */
export function signInToSee(signingIn, server) {
  const body = el("div", { class: "body" })
  const actions = el("div", { class: "actions" })
  new SignInParts(signingIn, server, (parts, answers) => {
    fill(body, parts)
    fill(actions, el("div", { class: "answers" }, answers))
  })
  return el("div", { class: "question sign-in", role: "group", "aria-label": t`Sign in` }, body, actions)
}

/** What a sign-in shows, and what can be done next. */
class SignInParts {
  #signingIn
  #server
  #place
  #heading = el("h4", { id: newId("sign-in"), tabindex: -1 })
  /** What happens by itself is told to who does not see it. */
  #status = el("p", { role: "status", class: "waits" })
  #problem = el("p", { class: "problem", role: "alert" })

  /** @param {SigningIn} signingIn @param {string} server @param {(body: Child[], answers: Child[]) => void} place */
  constructor(signingIn, server, place) {
    this.#signingIn = signingIn
    this.#server = server
    this.#place = place
    signingIn.addEventListener("change", () => this.#show())
    this.#show()
  }

  focus() {
    this.#heading.focus()
  }

  #show() {
    const active = document.activeElement
    const { title, told, status = "", problem = "", answers } = this.#parts()
    fill(this.#heading, title)
    this.#status.hidden = status === ""
    if (this.#status.textContent !== status) this.#status.textContent = status
    this.#problem.hidden = problem === ""
    if (this.#problem.textContent !== problem) this.#problem.textContent = problem
    this.#place([this.#problem, this.#heading, told, this.#status], answers)
    if (active && active !== document.body && !active.isConnected) this.focus()
  }

  /** @returns {{title: Child[], told: Child[], status?: string, problem?: string, answers: Child[]}} */
  #parts() {
    const { where, host, wanted, ended, moved } = this.#signingIn
    const cancel = quiet(t`Cancel`, () => this.#signingIn.cancel())
    const notNow = button(t`Not now`, () => this.#signingIn.notNow())
    const asks = { title: [signInTo(host)], told: [el("p", {}, moved ? movedTo(this.#server, moved) : why(wanted, this.#server)), moved && el("p", {}, continuesThere), ended !== "" && el("p", { class: "tip" }, ended), scopes(wanted.scopes)] }
    switch (where.at) {
      case "asked":
        return { ...asks, problem: where.problem, answers: [primary(where.problem ? t`Try again` : t`Sign in`, () => this.#signingIn.yes()), notNow] }
      case "blocked":
        return {
          ...asks,
          problem: t`Your browser did not let this page open a window.`,
          answers: [primary(t`Continue in this window`, () => this.#signingIn.here()), button(t`Try the window again`, () => this.#signingIn.yes()), notNow],
        }
      case "looking":
        return { ...asks, status: t`Finding out where you sign in…`, answers: [cancel] }
      case "window":
        return {
          ...leading(where.page.host, where.page.scopes),
          status: where.blocked ? "" : t`Waiting for the window. Was it closed? Open it again, or cancel.`,
          problem: where.blocked ? t`Your browser did not let this page open a window.` : "",
          answers: [
            where.blocked ? primary(t`Open the window`, () => this.#signingIn.follow()) : button(t`Open it again`, () => this.#signingIn.follow()),
            where.blocked && button(t`Continue in this window`, () => this.#signingIn.here()),
            button(t`Cancel`, () => this.#signingIn.cancel()),
          ],
        }
      case "checking":
        return { ...asks, status: t`The window has answered. Getting the access…`, answers: [cancel] }
      case "leaving":
        return { ...(where.page ? leading(where.page.host, where.page.scopes) : asks), status: t`This window goes there now, and comes back.`, answers: [] }
    }
  }
}

/** Where the person signs in. @param {string} host @param {string[]} list */
function leading(host, list) {
  const [before, name, after] = leadsTo(host)
  const warning = hostWarning(host)
  return {
    title: [before, el("strong", { class: "host" }, name)],
    told: [el("p", {}, after), warning && el("ul", { class: "marks" }, el("li", { class: "warning" }, warning)), scopes(list)],
  }
}

/** What is asked for: words of the server's. @param {string[]} list */
function scopes(list) {
  if (!list.length) return el("p", { class: "tip" }, noScopes)
  return el(
    "div",
    { class: "scopes" },
    el("p", { class: "label" }, scopesTitle),
    el(
      "ul",
      {},
      list.map((scope) => el("li", {}, el("code", { class: "theirs" }, shownLine(scope, 80)))),
    ),
  )
}
