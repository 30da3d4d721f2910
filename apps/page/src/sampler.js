// The model that answers a server's prompts. A host puts its own in here: any
// function that takes the params of a sampling/createMessage and returns text.

import { t } from "../../shared-js/language.js"
import { messages } from "../../shared-js/prompt.js"
import { person } from "../../shared-js/question.js"

/**
 * @typedef {object} Sampler
 * @property {string} name what the server reads
 * @property {string} label what the person reads
 * @property {string} about where the prompt goes, as a sentence for the person
 * @property {(params: string, signal: AbortSignal) => Promise<string>} run `params` is JSON text
 */

/**
 * A stand-in for a model: it repeats the first sentence of what it is asked
 * about, in this page and nowhere else.
 *
 * @type {Sampler}
 */
export const exampleModel = {
  name: "the example model",
  label: t`the example model`,
  about: t`It runs in this page and repeats the first sentence it is given.`,
  async run(params, signal) {
    await pause(600, signal)
    const asked = messages(params).at(-1)?.text ?? ""
    const text = asked.slice(asked.indexOf("\n\n") + 1).trim()
    return sentence.exec(text)?.[0].trim() || "I have nothing to say to that."
  },
}

/** A model's name as the person reads it. @param {string} model of a CreateMessageResult @returns {string} */
export function modelLabel(model) {
  const changed = /^(.*), changed by a person$/.exec(model)?.[1]
  if (changed) return t`${modelLabel(changed)}, changed by a person`
  return { [exampleModel.name]: exampleModel.label, [person]: t`a person` }[model] ?? model
}

const sentence = /^[^.!?]*[.!?]?/

/** @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
