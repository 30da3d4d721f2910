import { half, startOf, take } from "../forms/input.js"

/** @import { QuestionForm } from "../forms/question.js" */
/** @import { Entry } from "../forms/input.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** What stands in a field, and what is wrong with it in words that continue after its label, once the person is to be told; `code` is one of ProblemCode, `sentence` the same to be translated. `picked` is the index of what was picked of a union; `left` says that the server may use its default. @typedef {{entry: Entry, picked: number | undefined, problem: string | undefined, code: number | undefined, sentence: Sentence | undefined, changed: boolean, left: boolean}} Filled */

/** Nothing is wrong. */
const right = { problem: undefined, code: undefined, sentence: undefined }

/**
 * A question's form with what a person has put into it so far. It outlives the
 * components that show it. The engine says what is wrong with an entry; here it
 * is decided when that is shown: once the person leaves a field that they
 * changed or wants to send, and from then on with every change.
 */
export class Filling {
  /** Of each field. @type {readonly Filled[]} */
  #filled
  /** @type {Set<() => void>} */
  #listeners = new Set()

  form

  /** @param {QuestionForm} form */
  constructor(form) {
    this.form = form
    this.#filled = form.fields.map((field) => ({ entry: startOf(field), picked: field.alternative, ...right, changed: false, left: false }))
  }

  /** What stands in each field: another list after each change. */
  filled = () => this.#filled

  /** Is told of every change. @param {() => void} listener */
  subscribe = (listener) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Puts something into a field. @param {number} index @param {Entry} entry */
  change(index, entry) {
    const filled = this.#filled[index]
    if (filled) this.#change(index, { ...filled, entry })
  }

  /** Picks one of the types of a union: another starts anew. @param {number} index @param {number} [picked] undefined for none */
  pick(index, picked) {
    const filled = this.#filled[index]
    const of = picked === undefined ? undefined : this.form.fields[index]?.alternatives?.[picked]
    if (filled && picked !== filled.picked) this.#change(index, { ...filled, picked, entry: of ? startOf(of) : "" })
  }

  /** @param {number} index @param {Filled} filled */
  #change(index, filled) {
    const checked = this.#check(index, filled)
    const left = this.#isLeft(index)
    this.#set(index, { ...filled, ...(filled.problem !== undefined ? checked : right), changed: true, left })
  }

  /** @param {number} index */
  #isLeft(index) {
    const field = this.form.fields[index]
    return field !== undefined && this.form.isLeftToDefault(field)
  }

  /** The person leaves a field; `partial` if the browser has only half of an entry. @param {number} index @param {boolean} [partial] */
  leave(index, partial = false) {
    const filled = this.#filled[index]
    if (filled && (filled.changed || partial)) this.#set(index, { ...filled, ...this.#check(index, filled, partial) })
  }

  /** Checks all fields, and returns the index of the first that is wrong, -1 if none is. @param {(index: number) => boolean} partial */
  check(partial) {
    this.#publish(this.#filled.map((filled, i) => ({ ...filled, ...this.#check(i, filled, partial(i)), left: this.#isLeft(i) })))
    return this.#filled.findIndex(({ problem }) => problem !== undefined)
  }

  /** @param {number} index @param {Filled} filled @param {boolean} [partial] */
  #check(index, { entry, picked }, partial) {
    const field = this.form.fields[index]
    if (partial || !field) return { problem: half.message, code: half.code, sentence: half.sentence }
    const problem = take(this.form, field, entry, undefined, picked)
    const { code, sentence } = this.form.problemOf(field) ?? {}
    return { problem, code, sentence }
  }

  /** @param {number} index @param {Filled} filled */
  #set(index, filled) {
    this.#publish(this.#filled.map((old, i) => (i === index ? filled : old)))
  }

  /** @param {readonly Filled[]} filled */
  #publish(filled) {
    this.#filled = filled
    for (const listener of [...this.#listeners]) listener()
  }
}
