import { elicit, form, roots, sampling, url } from "./questions.js"

/** @import { Question } from "./questions.js" */
/** @import { Replay } from "./replay.js" */

/**
 * Asks for input in the middle of a handler (see {@link asking}).
 *
 * A handler is run from its beginning in every round of a call, and is given the
 * answers of earlier rounds by the same calls in the same order. Code before a
 * question therefore runs several times: effects belong after the last question,
 * or into {@link Ask.once}.
 *
 * **A run without its answer never goes on from there**: neither `catch` nor
 * `finally` around the question runs, and what the handler returns or throws
 * elsewhere is dropped. What a run holds is released when `signal` is aborted,
 * which it is after every run.
 *
 * An answer is used only for the question it was given to. Each step, a call to
 * a method of Ask, is compared with the one recorded in its place: if anything
 * of a question differs, or its place does, it is asked anew, and so is
 * everything that came after it. A question's text must thus not change by
 * itself, as it would with the time of day in it; pass what varies through
 * `once`.
 *
 * Questions asked at the same time, as with `Promise.all`, need a `key` each and
 * must start in one turn of the event loop; `all` needs neither. A question that
 * goes unanswered is asked again, and a call has as many rounds as the Guard's
 * `maxRounds`. The methods throw what the functions of the same names say.
 */
export class Ask {
  #replay

  /** @param {Replay} replay @param {AbortSignal} signal */
  constructor(replay, signal) {
    this.#replay = replay
    /** Aborted when this run of the handler is over: it returned, threw, or waits for an answer. */
    this.signal = signal
  }

  /**
   * Asks the person to fill in a form: see {@link form}.
   *
   * @template {Record<string, any>} [T=Record<string, any>]
   * @param {string} message
   * @param {Parameters<typeof form>[1]} schema
   * @param {{key?: string}} [options]
   * @returns {Promise<T>}
   */
  form(message, schema, options) {
    return this.#replay.one(form(message, schema, options))
  }

  /** Asks the person, and takes no for an answer: see {@link elicit}. @param {Parameters<typeof elicit>} question @returns {Promise<ReturnType<ReturnType<typeof elicit>["read"]>>} */
  elicit(...question) {
    return this.#replay.one(elicit(...question))
  }

  /** Has the person open a page: see {@link url}. @param {Parameters<typeof url>} question @returns {Promise<void>} */
  url(...question) {
    return this.#replay.one(url(...question))
  }

  /**
   * Asks the client's model: see {@link sampling}.
   *
   * @template {Parameters<typeof sampling>[0]} P
   * @param {P} messages
   * @param {Parameters<typeof sampling>[1]} [options]
   * @returns {Promise<ReturnType<ReturnType<typeof sampling<P>>["read"]>>}
   */
  sampling(messages, options) {
    return this.#replay.one(sampling(messages, options))
  }

  /** Asks for the client's roots. @param {Parameters<typeof roots>} question @returns {Promise<ReturnType<ReturnType<typeof roots>["read"]>>} */
  roots(...question) {
    return this.#replay.one(roots(...question))
  }

  /**
   * Asks several questions in one round, and resolves to their answers in this
   * order. If the client answers some of them, the others are asked again.
   *
   * @template {Question<any>[]} Q
   * @param {Q} questions
   * @returns {Promise<{[I in keyof Q]: Q[I] extends Question<infer T> ? T : never}>}
   */
  all(...questions) {
    return /** @type {any} */ (this.#replay.all(questions))
  }

  /**
   * Runs `work` in one round of a call and gives its result in all later ones:
   * for an effect between two questions, or for a value that a question depends
   * on. The result must survive JSON, and what is returned has been through it.
   *
   * It is in the state that the next question goes out with. If `work` fails, or
   * the client never comes back or sends the state before it twice, it runs
   * again: what must happen once needs a key of the handler's own.
   *
   * @template T
   * @param {string} key
   * @param {() => T | Promise<T>} work
   * @returns {Promise<T>}
   */
  once(key, work) {
    return this.#replay.once(key, work)
  }
}
