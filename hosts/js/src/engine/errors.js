import { sentenceOf, translate } from "../texts/sentence.js"

/** @import { Sentence } from "../texts/sentence.js" */

/**
 * Why a call, a question or a payload failed. The numbers are those of
 * wasm/ABI.md, which says what each means; they are never renumbered.
 */
export const Code = /* @__PURE__ */ Object.freeze({
  options: 1,
  order: 2,
  answer: 3,
  malformed: 4,
  resultType: 5,
  limit: 6,
  rounds: 7,
  waits: 8,
  rpc: 9,
  state: 10,
  lost: 11,
  legTimeout: 12,
  refused: 13,
  canceled: 14,
  capability: 15,
  inDoubt: 16,
  askTimeout: 17,
  budget: 18,
  deadline: 19,
  snapshot: 20,
  peer: 21,
  notParkable: 22,
  task: 23,
  save: 24,
  unauthorized: 25,
  form: 26,
  /** The engine's instance trapped: a host says so, not the engine. */
  instance: 27,
})

/**
 * A mistake in using the engine: it left everything as it was. `code` is
 * stable and one of {@link Code}; `message` is not. It never holds a state, an
 * answer or a secret.
 */
export class ParleyError extends Error {
  /** @param {number} code @param {string | Sentence} said */
  constructor(code, said) {
    const sentence = sentenceOf(said)
    const detail = translate(sentence)
    super(`parley: ${detail}`)
    this.name = "ParleyError"
    this.code = code
    this.detail = detail
    /** The detail, to be translated. */
    this.sentence = sentence
  }
}

/** The engine's instance trapped, and everything in it is lost. `cause` is the trap. */
export class InstanceError extends Error {
  /** @param {string | Sentence} said @param {unknown} [cause] */
  constructor(said, cause) {
    const sentence = sentenceOf(said)
    super(`parley: ${translate(sentence)}`, { cause })
    this.name = "InstanceError"
    this.code = Code.instance
    /** The message, to be translated. */
    this.sentence = sentence
  }
}
