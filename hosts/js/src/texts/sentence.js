/**
 * What the engine or this package says to a person, as plain data: it can be
 * kept, and posted to another tab. `template` is English and the key to translate
 * by; {0} and {1} in it are where the parameters go. A parameter that is a
 * sentence is translated too; one that is a string stays as it is.
 *
 * @typedef {{template: string, params: (string | Sentence)[]}} Sentence
 */

/** Says something; what goes into the template is a parameter. @param {TemplateStringsArray} strings @param {...(string | number | Sentence)} values @returns {Sentence} */
/* @__NO_SIDE_EFFECTS__ */
export function say(strings, ...values) {
  const template = strings.reduce((all, part, i) => `${all}{${i - 1}}${part}`)
  return { template, params: values.map((value) => (typeof value === "number" ? String(value) : value)) }
}

/** What is nobody's sentence, such as the words of a host's own transport. @param {string | Sentence} words @returns {Sentence} */
export function sentenceOf(words) {
  return typeof words === "string" ? { template: "{0}", params: [words] } : words
}

/**
 * A sentence in the language of a table: English templates and their
 * translations, in which {0} and {1} may stand in another order. What the table
 * lacks is said in English.
 *
 * @param {Sentence} sentence @param {Readonly<Record<string, string>>} [texts]
 * @returns {string}
 */
export function translate({ template, params }, texts = {}) {
  const text = (Object.hasOwn(texts, template) && texts[template]) || template
  return text.replace(/\{(\d)\}/g, (place, i) => {
    const param = params[i]
    return typeof param === "object" ? translate(param, texts) : (param ?? place)
  })
}

/** A sentence as a failure has it. @param {Sentence} sentence */
export function inEnglish(sentence) {
  return { detail: translate(sentence), sentence }
}

// The marks that the engine puts around parameters: see wasm/ABI.md, Sentences.
const value = "\u0001"
const inner = "\u0002"
const end = "\u0003"

/** A sentence of the engine. @param {string} marked @returns {Sentence} */
export function readMarked(marked) {
  const pieces = marked.split(/([\u0001-\u0003])/)
  let at = 0
  /** As far as its end mark. @returns {Sentence} */
  const next = () => {
    /** @type {Sentence} */
    const sentence = { template: "", params: [] }
    for (; at < pieces.length && pieces[at] !== end; at++) {
      const mark = pieces[at] ?? ""
      if (mark !== value && mark !== inner) {
        sentence.template += mark
        continue
      }
      at++
      const { template, params } = next()
      sentence.template += `{${sentence.params.length}}`
      const [only = ""] = params
      sentence.params.push(mark === value ? template : template === "{0}" ? only : { template, params })
    }
    return sentence
  }
  return next()
}

/** A sentence as the engine takes it, where it is one of this package: so that it comes back as one. @param {string | Sentence} sentence */
export function marked(sentence) {
  return typeof sentence === "string" ? sentence : `${inner}${withMarks(sentence)}${end}`
}

/** @param {Sentence} sentence @returns {string} */
function withMarks({ template, params }) {
  return template.replace(/\{(\d)\}/g, (_, i) => {
    const param = params[i] ?? ""
    return typeof param === "object" ? `${inner}${withMarks(param)}${end}` : `${value}${param.replace(/[\u0001-\u0003]/g, "")}${end}`
  })
}

/** Where an action has a sentence. @type {Record<string, string | undefined>} */
const said = { done: "lacks", failed: "detail", ask: "problem", warning: "text", subscribed: "reason" }

/** Puts the sentences of an answer of the engine into English, each with itself beside it. @param {any} answer */
export function unmark(answer) {
  put(answer.error, "detail")
  put(answer.problem, "message")
  for (const action of answer.actions ?? []) put(action, said[action.type])
}

/** @param {Record<string, unknown> | undefined} value @param {string | undefined} member */
function put(value, member) {
  if (!value || !member || value[member] === undefined) return
  const sentence = readMarked(String(value[member]))
  value[member] = translate(sentence)
  value.sentence = sentence
}

/** An event as the engine takes it. @template {object} T @param {T} event @returns {T | T & {reason: string}} */
export function withMarkedReason(event) {
  return "reason" in event && event.reason !== undefined ? { ...event, reason: marked(/** @type {string | Sentence} */ (event.reason)) } : event
}
