import { PARK } from "../calls/askers.js"
import { Filling } from "./filling.js"

/** @import { Answer, Question } from "../calls/askers.js" */
/** @import { Engine } from "../engine/index.js" */

/** The attributes of a link to the page that a question wants opened. @typedef {{href: string, target: "_blank", rel: string, onClick: () => void}} LinkProps */

/** A question that waits for its person. It stays the same object for as long as it is open. */
export class OpenQuestion {
  #engine
  #settle
  /** @type {Filling | undefined} */
  #filling

  /** Differs from that of every other question: the `key` of its component. */
  id

  /** As the server asked it: its `params` are JSON text, byte for byte. */
  question

  /** The id of the call that waits for it; undefined if `start` did not make it, or its side was not handed on. */
  call

  /** Who asks, where there are many servers. */
  server

  /** What the server says to the person. Show it as text. */
  message

  /** The `_meta` of its params, such as the app that is to show it; undefined if there is none. @type {Record<string, unknown> | undefined} */
  _meta

  /** Of a form, its schema as the server sent it, for a host that draws forms itself. @type {Record<string, unknown> | undefined} */
  requestedSchema

  /** The address that the server wants opened; undefined for a form. @type {string | undefined} */
  url

  /** @param {string} id @param {Engine} engine @param {Question} question @param {{call?: string, server?: string}} whose @param {boolean} page it is an address rather than a form @param {(answer: Answer) => void} settle */
  constructor(id, engine, question, { call, server }, page, settle) {
    this.#engine = engine
    this.#settle = settle
    this.id = id
    this.question = question
    this.call = call
    this.server = server
    const { message, _meta, url, requestedSchema } = JSON.parse(question.params ?? "{}")
    this.message = String(message ?? "")
    this._meta = _meta
    if (!page) this.requestedSchema = requestedSchema
    else this.url = url // the engine let it through: http or https, and plain ASCII
  }

  /** Whether its form is one that Parley cannot read, which only comes to a host that says `anyForm`: draw it from the schema, and `answer` with its content. */
  get unreadable() {
    return this.url === undefined && this.filling.form.unreadable !== undefined
  }

  /** What the person has put into its form so far. */
  get filling() {
    return (this.#filling ??= new Filling(this.#engine.questionForm(this.question)))
  }

  /** Of a link that opens the page, which is consent too, unless it was given before. @returns {LinkProps | undefined} */
  get linkProps() {
    const onClick = () => void (this.question.repeat || this.accept())
    return this.url === undefined ? undefined : { href: this.url, target: "_blank", rel: "noopener noreferrer", onClick }
  }

  /**
   * Answers it: an ElicitResult, or its JSON text, or PARK. Of several answers
   * the first counts. One that the server's form does not take brings the
   * question back, with its `problem`.
   *
   * @param {Answer} answer
   */
  answer = (answer) => this.#settle(answer)

  /** Sends what the form was filled in with, or consent to open the page. */
  accept = () => this.answer(this.url === undefined ? this.filling.form.accept() : '{"action":"accept"}')

  /** Tells the server no. */
  decline = () => this.answer('{"action":"decline"}')

  /** Closes it without choosing, and tells the server so. */
  dismiss = () => this.answer('{"action":"cancel"}')

  /** Keeps its call for later; the server is not told. */
  park = () => this.answer(PARK)
}
