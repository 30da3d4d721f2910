import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { declined, dismissed } from "../../shared-js/question.js"
import { spoken } from "../../shared-js/spoken.js"
import { asSentence } from "../../shared-js/words.js"
import { el, fill, newId } from "./element.js"
import { icon } from "./icon.js"
import { shown, shownLine } from "./shown.js"

/** @import { Child } from "./element.js" */
/** @import { OpenQuestion } from "./record.js" */

/**
 * How a question is dealt with. Each returns at once; the card is taken away
 * when it has happened.
 *
 * @typedef {object} Desk
 * @property {string} server the host's own name for the server
 * @property {(raw: string) => void} reply takes the result, JSON text
 * @property {() => void} park
 * @property {() => void} stop
 * @property {(drafts: unknown) => void} keep keeps what is filled in so far
 */

/** @typedef {{element: HTMLElement, focus: () => void, update: (question: OpenQuestion, ours?: string) => void, wants: string}} QuestionView */

/**
 * The frame that every question is put in: who asks, in the page's own words;
 * what they say, quoted; and what can be done.
 */
export class QuestionCard {
  #heading
  #problem
  #body = el("div", { class: "body" })
  #actions = el("div", { class: "actions" })
  #desk

  /** @type {HTMLElement} */
  element

  /**
   * @param {OpenQuestion} question
   * @param {Desk} desk
   * @param {{wants: string, name: string}} words `wants` goes on after the server's name, `name` is an icon's
   */
  constructor(question, desk, { wants, name }) {
    this.#desk = desk
    this.wants = wants
    this.#heading = el("h3", { id: newId("question"), tabindex: -1 }, icon(name), el("span", {}, el("strong", {}, plainLine(desk.server, 100)), ` ${wants}`))
    this.#problem = el("p", { class: "problem", role: "alert", hidden: true })
    this.element = el(
      "section",
      { class: "question", "aria-labelledby": this.#heading.id },
      el("header", {}, this.#heading, question.round > 0 && el("span", { class: "meta" }, t`Round ${question.round}`)),
      this.#problem,
      this.#body,
      this.#actions,
    )
    this.update(question)
  }

  /** Why an answer could not be sent, or the call not be parked. @param {OpenQuestion} question @param {string} [ours] that in words of the page, as a sentence */
  update({ problem = "", sentence }, ours) {
    const text = ours ?? asSentence(sentence ? spoken(sentence) : problem)
    this.#problem.hidden = text === ""
    fill(this.#problem, plainLine(text, 400))
  }

  focus() {
    this.#heading.focus()
  }

  /** @param {...Child} children */
  body(...children) {
    fill(this.#body, ...children)
  }

  /**
   * What can be done: first what answers the question, then what every
   * question offers.
   *
   * @param {Child[]} answers
   * @param {boolean} [refusable] the question knows answers that say no
   */
  offer(answers, refusable = false) {
    const { reply, park, stop } = this.#desk
    fill(
      this.#actions,
      el("div", { class: "answers" }, answers, refusable && [button(t`Decline`, () => reply(declined)), button(t`Dismiss`, () => reply(dismissed))]),
      el("div", { class: "ways" }, quiet(t`Park for later`, park), quiet(t`Stop this call`, stop)),
      meanings(refusable),
    )
  }
}

/** @param {Child} label @param {() => void} click */
export function button(label, click) {
  return el("button", { type: "button", onclick: click }, label)
}

/** @param {Child} label @param {() => void} [click] without one it submits its form */
export function primary(label, click) {
  return el("button", { type: click ? "button" : "submit", class: "primary", onclick: click }, label)
}

/** @param {Child} label @param {() => void} click */
export function quiet(label, click) {
  return el("button", { type: "button", class: "quiet", onclick: click }, label)
}

/** What the server says, set apart from the page's own words. @param {string} text @param {string} [who] */
export function quote(text, who) {
  return el("div", { class: "quote" }, who && el("p", { class: "who" }, shownLine(who, 100)), el("div", { class: "theirs text", dir: "auto" }, shown(text)))
}

/** @param {boolean} refusable */
function meanings(refusable) {
  const list = refusable
    ? [
        [t`Decline`, t`tells the server no. It decides what that means.`],
        [t`Dismiss`, t`closes this question without choosing. The server is told so.`],
      ]
    : []
  list.push([t`Park for later`, t`keeps the call and what you answered. The server is not told.`], [t`Stop this call`, t`gives the call up. This question stays without an answer.`])
  return el(
    "details",
    { class: "meanings" },
    el("summary", {}, t`What do these do?`),
    el(
      "dl",
      {},
      list.map(([term, meaning]) => el("div", {}, el("dt", {}, term), el("dd", {}, meaning))),
    ),
  )
}
