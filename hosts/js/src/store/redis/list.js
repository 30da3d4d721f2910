import { isId } from "../contract.js"
import { LayoutError } from "../faults.js"
import { orderOf, parked } from "../query.js"
import { bytesOf, explained, garbage, passes, textOf, verdict, wordOf } from "./server.js"

/** @import { Parked, Place } from "../query.js" */
/** @import { RedisServer } from "./server.js" */
/** @import { Sealing } from "../sealing.js" */

/** A call, as an index has it if one does. @typedef {Place & {index?: string}} Name */

/** @typedef {{newest: boolean, start?: Place, most: number, signal?: AbortSignal}} MergeOptions `most` names are read of an index at a time */

/** How many calls are looked at together. */
export const mostLooks = 64

/** Goes through indexes in the order of time. */
export class Merge {
  #server
  #rows
  #options
  #order

  /** @param {RedisServer} server @param {string[]} indexes @param {MergeOptions} options */
  constructor(server, indexes, options) {
    this.#server = server
    this.#options = options
    this.#order = orderOf(options.newest)
    this.#rows = indexes.map((index) => new Row(index, options.start))
  }

  /** The next names, at most so many. @param {number} most @param {string} prefix */
  async next(most, prefix) {
    /** @type {Name[]} */
    const names = []
    while (names.length < most) {
      this.#rows = this.#rows.filter((row) => !row.over || row.names.length)
      const empty = this.#rows.filter((row) => !row.names.length)
      if (empty.length) {
        await this.#fill(empty)
        continue
      }
      const [first] = this.#rows
      if (!first) break
      const row = this.#rows.reduce((a, b) => (this.#order(head(b), head(a)) < 0 ? b : a), first)
      const name = head(row)
      row.names.shift()
      if (name.id.startsWith(prefix)) names.push(name)
    }
    return names
  }

  /** Reads more names of some rows. @param {Row[]} rows */
  async #fill(rows) {
    const { newest, most, signal } = this.#options
    const [command, first, last] = newest ? ["ZREVRANGEBYSCORE", "+inf", "-inf"] : ["ZRANGEBYSCORE", "-inf", "+inf"]
    const read = (/** @type {Row} */ { index, from, seen }) =>
      this.#server.send([command, index, from === undefined ? first : String(from), last, "WITHSCORES", "LIMIT", String(seen), String(most)], index)
    const answers = await this.#server.try(() => Promise.all(rows.map(read)), signal)
    for (const [i, row] of rows.entries()) row.take(scores(answers[i]), most, this.#order)
  }
}

/** @param {Row} row one that has a name */
function head({ names }) {
  return /** @type {Name} */ (names[0])
}

/** An index, as far as it was read. */
class Row {
  /** Read, and not merged yet. @type {Name[]} */
  names = []
  over = false
  /** The time to read on from, of which so many calls were seen. @type {number | undefined} */
  from
  seen = 0

  /** @param {string} index @param {Place} [start] what to go on behind */
  constructor(index, start) {
    this.index = index
    this.start = start
    this.from = start?.at
  }

  /** Takes what was read. @param {[id: string, at: number][]} read @param {number} most @param {(a: Place, b: Place) => number} order */
  take(read, most, order) {
    this.over = read.length < most
    for (const [id, at] of read) {
      this.seen = at === this.from ? this.seen + 1 : 1
      this.from = at
      if (!isId(id) || (this.start && order({ id, at }, this.start) <= 0)) continue // not the store's, or of the page before
      this.names.push({ id, at, index: this.index })
    }
  }
}

/** @param {unknown} answer names and their scores, in one array or in pairs, as the protocol's version has it @returns {[string, number][]} */
function scores(answer) {
  if (!Array.isArray(answer)) throw garbage()
  const flat = answer.flat()
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => {
    const at = Number(textOf(flat[2 * i + 1]))
    if (!Number.isSafeInteger(at)) throw garbage()
    return [textOf(flat[2 * i]), at]
  })
}

/**
 * Waits for what a look has found, and returns what reads it: undefined for a
 * call that is gone. A call that is no call's is listed with what is wrong.
 *
 * @param {Promise<Uint8Array[]>} answer
 * @returns {Promise<(name: Name, sealing: Sealing) => Promise<Parked | undefined>>}
 */
export async function looked(answer) {
  try {
    const words = await answer
    return (name, sealing) => read(name, words, sealing)
  } catch (error) {
    if (!wordOf(error) || passes(error)) throw error
    return async (name) => parked(name, { taken: false, about: {}, problem: explained(error) })
  }
}

/** @param {Name} name @param {Uint8Array[]} words @param {Sealing} sealing @returns {Promise<Parked | undefined>} */
async function read(name, words, sealing) {
  const said = textOf(words[0])
  if (said === "none") return
  if (said === "layout" && words.length === 3) return parked(name, { taken: textOf(words[2]) === "1", about: {}, problem: new LayoutError() })
  const [time, held, , about] = verdict(words, 4)
  const at = Number(textOf(time))
  if (!Number.isSafeInteger(at)) return parked(name, { taken: false, about: {}, problem: garbage() })
  if (name.index !== undefined && at !== name.at) return
  const taken = textOf(held) === "1"
  try {
    return parked({ at, id: name.id }, { taken, about: await sealing.openAbout(name.id, bytesOf(about)) })
  } catch (problem) {
    return parked({ at, id: name.id }, { taken, about: {}, problem })
  }
}
