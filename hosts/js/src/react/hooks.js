import { createContext, createElement, useContext, useEffect, useId, useMemo, useSyncExternalStore } from "react"

import { hintOf } from "../forms/input.js"
import { nextId, nothing } from "./calls.js"
import { fieldView } from "./fields.js"

/** @import { ComponentProps, ReactElement, ReactNode } from "react" */
/** @import { Call, Calls } from "./calls.js" */
/** @import { FieldView } from "./fields.js" */
/** @import { OpenQuestion } from "./question.js" */

/** What becomes of the calls that a component started when it is gone: they go on, are parked as soon as each can be, or are canceled, resumably. @typedef {"continue" | "park" | "cancel"} OnUnmount */

/** @typedef {{calls: readonly Call[], start: Calls["start"], discard: Calls["discard"]}} CallsInUse */

/** An event that can be kept from what the browser does with it. @typedef {{preventDefault: () => void, currentTarget?: any}} Preventable */

/**
 * A form as it stands, and the attributes to render it with.
 *
 * @typedef {object} FormView
 * @property {OpenQuestion} question
 * @property {string} message what the server says to the person
 * @property {string} [problem] why the last answer could not be used
 * @property {FieldView[]} fields none if the server asks for consent only
 * @property {string} [hint] what only the server checks of the whole answer
 * @property {(event?: Preventable) => void} send answers if nothing is wrong; else it says what is, and goes to the first such field
 * @property {() => void} decline tells the server no
 * @property {() => void} dismiss closes it without choosing, and tells the server so
 * @property {() => void} park keeps the call for later; the server is not told
 * @property {{noValidate: true, onSubmit: (event: Preventable) => void, "aria-describedby": string}} formProps
 * @property {{id: string, dir: "auto"}} messageProps
 */

const Context = createContext(/** @type {Calls | undefined} */ (undefined))

/** Gives the calls to the components below. @param {{calls: Calls, children?: ReactNode}} props @returns {ReactElement} */
export function CallsProvider({ calls, children }) {
  return createElement(Context.Provider, { value: calls }, children)
}

/**
 * All calls as they stand, and what makes one. When the component is gone, those
 * that it started go on, unless `onUnmount` says otherwise; so do those that its
 * own code starts after that.
 *
 * @param {{onUnmount?: OnUnmount}} [options]
 * @returns {CallsInUse}
 */
export function useCalls({ onUnmount = "continue" } = {}) {
  const store = useStore()
  const { calls } = useSyncExternalStore(store.subscribe, store.now, () => nothing)
  const started = useMemo(() => new Started(store), [store])
  useEffect(() => void (started.onUnmount = onUnmount))
  useEffect(() => started.mount(), [started])
  return { calls, start: started.start, discard: store.discard }
}

/** The questions that wait for the person, the first first. @returns {readonly OpenQuestion[]} */
export function useQuestions() {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, store.now, () => nothing).questions
}

/** A question's form as it stands. What was typed stays when the component goes and comes back. @param {OpenQuestion} question @returns {FormView} */
export function useQuestionForm(question) {
  const { filling, accept, decline, dismiss, park } = question
  const filled = useSyncExternalStore(filling.subscribe, filling.filled, filling.filled)
  const id = useId()
  const messageId = `${id}-message`
  const send = (/** @type {Preventable | undefined} */ event) => {
    event?.preventDefault()
    /** @type {Document} */
    const root = event?.currentTarget?.getRootNode?.() ?? document // a shadow root and another window have their own
    const control = (/** @type {number} */ index) => root.getElementById(`${id}-${index}`)
    const wrong = filling.check((index) => /** @type {HTMLInputElement | null} */ (control(index))?.validity?.badInput ?? false)
    if (wrong < 0) return accept()
    const element = control(wrong)
    ;(element?.querySelector("input") ?? element)?.focus()
  }
  return {
    question,
    message: question.message,
    problem: question.question.problem,
    hint: hintOf({ unchecked: filling.form.unchecked }) || undefined,
    fields: filled.map((one, index) => fieldView(filling, one, index, id)),
    send,
    decline,
    dismiss,
    park,
    formProps: { noValidate: true, onSubmit: send, "aria-describedby": messageId },
    messageProps: { id: messageId, dir: "auto" },
  }
}

/**
 * A form element for a question, whose `children` renders what is in it. Other
 * attributes go to the element. Give it the question's id as its `key`.
 *
 * @param {Omit<ComponentProps<"form">, "children" | "onSubmit"> & {question: OpenQuestion, children: (form: FormView) => ReactNode}} props
 * @returns {ReactElement}
 */
export function QuestionForm({ question, children, ...attributes }) {
  const form = useQuestionForm(question)
  return createElement("form", { ...attributes, ...form.formProps }, children(form))
}

function useStore() {
  const calls = useContext(Context)
  if (!calls) throw new Error("parley: useCalls and useQuestions need a CallsProvider around the component")
  return calls
}

/** The calls that one component started. */
class Started {
  #calls
  /** @type {Set<string>} */
  #ids = new Set()
  #mounted = false
  #gone = false

  /** @type {OnUnmount} */
  onUnmount = "continue"

  /** @param {Calls} calls */
  constructor(calls) {
    this.#calls = calls
  }

  /** The component is there; the function returned says that it is not. In StrictMode it is back at once. */
  mount() {
    this.#mounted = true
    this.#gone = false
    return () => {
      this.#mounted = false
      queueMicrotask(() => {
        if (this.#mounted || this.#gone) return
        this.#gone = true
        for (const id of this.#ids) this.#end(id)
      })
    }
  }

  /** @type {Calls["start"]} */
  start = (make, options) => {
    const { id = nextId() } = options ?? {}
    const result = this.#calls.start(make, { ...options, id })
    const ended = () => void this.#ids.delete(id)
    this.#ids.add(id)
    result.then(ended, ended)
    if (this.#gone) this.#end(id)
    return result
  }

  /** @param {string} id */
  #end(id) {
    const call = this.#calls.now().calls.find((one) => one.id === id)
    if (this.onUnmount === "park") call?.park()
    if (this.onUnmount === "cancel") call?.cancel()
  }
}
