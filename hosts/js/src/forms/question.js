import { Code, ParleyError } from "../engine/errors.js"
import { elementsOf, member, typedOf } from "../texts/raw-json.js"
import { say } from "../texts/sentence.js"

/** @import { Engine } from "../engine/index.js" */
/** @import { Field, Problem } from "./check.js" */
/** @import { Ask } from "../engine/call.js" */

/**
 * A field of a form.
 *
 * @typedef {Omit<Field, "alternatives"> & Start} FormField
 *
 * @typedef {object} Start
 * @property {string} [initial]
 *   what to start from, as JSON text for `choose`: what the person filled in before the call was started over, or the default.
 *   It is not in the answer until it is chosen
 * @property {number} [alternative] of a union: the index of the one that `initial` is of
 * @property {FormField[]} [alternatives] of a union: the person picks one, whose index `enter` takes
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

  /** In the server's order; none asks for consent. @type {FormField[]} */
  fields

  /** What only the server checks of the whole answer. */
  unchecked

  /** Why Parley cannot read the schema: such a form only reaches a host that said `anyForm`, which draws it itself. @type {Problem | undefined} */
  unreadable

  /** @param {Engine} engine @param {Pick<Ask, "params" | "earlier">} question in form mode */
  constructor(engine, { params = "{}", earlier = "{}" }) {
    this.#engine = engine
    this.#schema = member(params, "requestedSchema") ?? "{}"
    this.message = String(JSON.parse(params).message ?? "")
    const { fields = [], unchecked, problem } = engine.form(this.#schema)
    this.unchecked = unchecked
    this.unreadable = problem
    this.fields = fields.map((field) => this.#start(field, field.readOnly ? undefined : member(earlier, field.name)))
  }

  /**
   * Takes what a person typed into a field: any text, yes or no, choices by
   * their values or titles, the values of a list on a line each. Of a union,
   * `alternative` is the index of the one that the person picked. It returns what is
   * wrong with it, in words that continue after the field's title, or nothing. A
   * refused entry leaves the field empty.
   *
   * @param {FormField} field @param {string} typed @param {number} [alternative]
   */
  enter(field, typed, alternative) {
    return this.#take(field, this.#check(field, { typed, alternative }))
  }

  /** The same for a value that was chosen, as JSON text. @param {FormField} field @param {string} value */
  choose(field, value) {
    return this.#take(field, this.#check(field, { value }))
  }

  /** What is wrong with what a field was last given, as data: `enter` and `choose` return its `message`. @param {FormField} field @returns {Problem | undefined} */
  problemOf({ name }) {
    return this.#problems.get(name)
  }

  /** Whether a field that was left empty is left out, and the server may put its default there: the person should know. @param {FormField} field */
  isLeftToDefault({ name, default: initial, readOnly }) {
    return initial !== undefined && !readOnly && !this.#values.has(name) && !this.#problems.has(name)
  }

  /** The ElicitResult of a person who sends what was entered, as JSON text. */
  accept() {
    if (this.unreadable) throw new ParleyError(Code.order, say`the form is one that the host draws itself: see unreadable`)
    const entered = this.fields.filter(({ name }) => this.#values.has(name))
    const members = entered.map(({ name }) => `${JSON.stringify(name)}:${this.#values.get(name)}`)
    return `{"action":"accept","content":{${members}}}`
  }

  /** What a field starts from. @param {Field} field @param {string} [before] what it was filled in with before @returns {FormField} */
  #start({ alternatives, ...field }, before) {
    const { kind, options = [] } = field
    const kept = before !== undefined && !this.#check(field, { value: before }).problem
    const given = kept ? before : field.default
    const initial = given === "null" ? undefined : given // null is what was left empty
    if (alternatives) {
      const alternative = initial === undefined ? -1 : alternatives.findIndex((_, i) => alike(this.#check(field, { typed: typedOf(initial), alternative: i }).value, initial))
      const each = alternatives.map((one, i) => ({ ...this.#start(one), ...(i === alternative && { initial }) }))
      return { ...field, initial, alternatives: each, ...(alternative >= 0 && { alternative }) }
    }
    if (initial === undefined || !options.length) return { ...field, initial }
    const spelled = (/** @type {string} */ value) => (options.find((one) => one.value === value) ?? options.find((one) => alike(one.value, value)))?.value ?? value
    return { ...field, initial: kind === "choices" ? `[${elementsOf(initial).map(spelled)}]` : spelled(initial) }
  }

  /** @param {Field | FormField} field @param {{typed: string, alternative?: number} | {value: string}} entered */
  #check({ name }, entered) {
    return this.#engine.formCheck({ schema: this.#schema, field: name, ...entered })
  }

  /** @param {Field | FormField} field @param {import("./check.js").Checked} checked */
  #take({ name }, { value, problem }) {
    if (value) this.#values.set(name, value)
    else this.#values.delete(name)
    if (problem) this.#problems.set(name, problem)
    else this.#problems.delete(name)
    return problem?.message
  }
}

/** Whether two JSON texts stand for the same value. @param {string | undefined} a @param {string} b */
function alike(a, b) {
  return a !== undefined && JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
}
