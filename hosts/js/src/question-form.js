import { member } from "./raw-json.js"

/** @import { Engine } from "./core.js" */
/** @import { Field, Problem } from "./form.js" */
/** @import { Ask } from "./flow.js" */

/**
 * A field of a form.
 *
 * @typedef {Field & Start} FormField
 *
 * @typedef {object} Start
 * @property {string} [initial]
 *   what to start from, as JSON text for `choose`: what the person filled in before the call was started over, or the default.
 *   It is not in the answer until it is chosen
 */

/**
 * The form of a question, to be filled in: what to ask for, whether an entry
 * will do, and the answer. It shows nothing itself. A field without an entry is
 * left out of the answer.
 */
export class QuestionForm {
  #engine
  #schema
  /** JSON text, by the names of the fields. @type {Map<string, string>} */
  #values = new Map()
  /** By the names of the fields. @type {Map<string, Problem>} */
  #problems = new Map()

  /** What the server says to the person. */
  message

  /** In the server's order. @type {FormField[]} */
  fields

  /** @param {Engine} engine @param {Pick<Ask, "params" | "earlier">} question in form mode */
  constructor(engine, { params = "{}", earlier = "{}" }) {
    this.#engine = engine
    this.#schema = member(params, "requestedSchema") ?? "{}"
    this.message = String(JSON.parse(params).message ?? "")
    this.fields = (engine.form(this.#schema).fields ?? []).map((field) => {
      const before = member(earlier, field.name)
      return { ...field, initial: before !== undefined && !this.#check(field, { value: before }).problem ? before : field.default }
    })
  }

  /**
   * Takes what a person typed into a field: any text, yes or no, choices by
   * their values or titles. It returns what is wrong with it, in words that continue
   * after the field's title, or nothing. A refused entry leaves the field empty.
   *
   * @param {FormField} field @param {string} typed
   */
  enter(field, typed) {
    return this.#take(field, this.#check(field, { typed }))
  }

  /** The same for a value that was chosen, as JSON text. @param {FormField} field @param {string} value */
  choose(field, value) {
    return this.#take(field, this.#check(field, { value }))
  }

  /** What is wrong with what a field was last given, as data: `enter` and `choose` return its `message`. @param {FormField} field @returns {Problem | undefined} */
  problemOf({ name }) {
    return this.#problems.get(name)
  }

  /** The ElicitResult of a person who sends what was entered, as JSON text. */
  accept() {
    const entered = this.fields.filter(({ name }) => this.#values.has(name))
    const members = entered.map(({ name }) => `${JSON.stringify(name)}:${this.#values.get(name)}`)
    return `{"action":"accept","content":{${members}}}`
  }

  /** @param {Field} field @param {{typed: string} | {value: string}} entered */
  #check({ name }, entered) {
    return this.#engine.formCheck({ schema: this.#schema, field: name, ...entered })
  }

  /** @param {Field} field @param {import("./form.js").Checked} checked */
  #take({ name }, { value, problem }) {
    if (value) this.#values.set(name, value)
    else this.#values.delete(name)
    if (problem) this.#problems.set(name, problem)
    else this.#problems.delete(name)
    return problem?.message
  }
}
