import { elements, member } from "../texts/raw-json.js"

/**
 * What was asked, by its digest, and the answer; or what was done once, and its
 * result: as JSON text, which goes from round to round as it is.
 *
 * @typedef {{of: string, is: string}} Entry
 */

/** A call to Ask: an entry for each answer, in the order of their keys. @typedef {Entry[]} Step */

const version = 1

/**
 * Reads the plain state of a handler that asks: its steps so far. The last one
 * may lack answers; its questions are what the round put. A state of another
 * shape is one of another version of the handler, and tells nothing.
 *
 *     {"asking":1,"steps":[[{"of":"<digest of the question>","is":<answer>}, …], …]}
 *
 * @param {unknown} state
 * @returns {Step[]}
 */
export function readRecord(state) {
  try {
    const { asking, steps } = JSON.parse(/** @type {string} */ (state))
    if (asking !== version || !Array.isArray(steps) || !steps.every(isStep)) return []
  } catch {
    return []
  }
  return elements(/** @type {string} */ (state), "steps").map((step) => {
    if (step === "null") return []
    return elements(`{"step":${step}}`, "step").map((entry) => ({ of: JSON.parse(member(entry, "of") ?? ""), is: member(entry, "is") ?? "" }))
  })
}

/** @param {any} step */
function isStep(step) {
  return step === null || (Array.isArray(step) && step.every((entry) => typeof entry?.of === "string" && Object.hasOwn(entry, "is")))
}

/** Writes a record as Go's encoding/json does, so that equal records are equal states in every language. @param {Step[]} steps */
export function writeRecord(steps) {
  const written = steps.map((step) => (step.length ? list(step.map(({ of, is }) => object([["of", string(of)], ["is", is]]))) : "null"))
  return object([["asking", String(version)], ["steps", list(written)]])
}

/** The JSON text of an object whose members, JSON texts, have an order; those that are undefined are left out. @param {[name: string, value: string | undefined][]} members */
export function object(members) {
  return `{${members.flatMap(([name, value]) => (value === undefined ? [] : [`${string(name)}:${value}`])).join(",")}}`
}

/** @param {string[]} texts */
export const list = (texts) => `[${texts.join(",")}]`

/**
 * The JSON text of a value that was parsed, with the members of all objects by
 * name: as Go writes what is a map there.
 *
 * @param {any} value
 * @returns {string}
 */
export function byName(value) {
  if (typeof value === "string") return string(value)
  if (Object.is(value, -0)) return "-0"
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return list(value.map(byName))
  return object(Object.keys(value).sort(compare).map((name) => [name, byName(value[name])]))
}

/** Go has no lone surrogates, and writes for pages. @param {string} value */
export function string(value) {
  const text = JSON.stringify(value.replace(/\p{Surrogate}/gu, "\ufffd"))
  return text.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** By code points, as UTF-8 sorts. @param {string} a @param {string} b */
export function compare(a, b) {
  const left = Array.from(a)
  const right = Array.from(b)
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = point(left[i]) - point(right[i])
    if (difference) return difference
  }
  return left.length - right.length
}

/** @param {string | undefined} char */
const point = (char) => char?.codePointAt(0) ?? 0
