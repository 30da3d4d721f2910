import { isId } from "../contract.js"
import { pause } from "../lease.js"
import { mostLooks } from "./list.js"

/** @import { Change, Parked, Query } from "../query.js" */

/**
 * @typedef {object} Watched
 * @property {Query} query
 * @property {number} keep
 * @property {() => Promise<string[] | undefined>} tags of the principal that is meant, if one is
 * @property {() => AsyncIterable<Parked>} list
 * @property {(ids: string[]) => Promise<Parked[]>} look
 * @property {(heard: (text: string) => void, lost: () => void) => Promise<() => void>} subscribe
 */

/** How often to look for what has expired, of which nobody is told, in milliseconds. */
const sweep = 60_000

/** How many changes may wait for whoever watches. More are as good as missed. */
const mostTold = 4096

/** @param {Watched} watched @returns {AsyncGenerator<Change, void, undefined>} */
export async function* watch(watched) {
  for (;;) {
    yield* once(watched)
    watched.query.signal?.throwIfAborted()
    yield { lost: true }
  }
}

/** Watches over one connection, until something may have been missed or the signal aborts. @param {Watched} watched @returns {AsyncGenerator<Change, void, undefined>} */
async function* once({ query: { principal, prefix = "", signal }, keep, tags: tagsOf, list, look, subscribe }) {
  const tags = await tagsOf()
  const news = new News()
  const end = await subscribe(
    (text) => {
      const [id = "", tag = "", ...rest] = text.split(" ")
      if (rest.length === 1 && isId(id) && (!tags || tags.includes(tag))) news.add(id)
    },
    () => news.lose(),
  )
  try {
    /** When each was saved that was told. @type {Map<string, number>} */
    const told = new Map()
    for await (const call of list()) {
      told.set(call.id, call.time)
      yield call
    }
    while (!news.lost && !signal?.aborted) {
      const ids = await news.take(signal)
      if (news.lost || signal?.aborted) return
      if (!ids.length) ids.push(...[...told].filter(([, time]) => Date.now() - time > keep).map(([id]) => id))
      while (ids.length) {
        const some = ids.splice(0, mostLooks).filter((id) => id.startsWith(prefix))
        const calls = new Map((await look(some)).map((call) => [call.id, call]))
        for (const id of some) {
          const call = calls.get(id)
          if (call && (!principal || call.about.principal === principal)) {
            told.set(id, call.time)
            yield call
          } else {
            told.delete(id)
            yield { id, gone: true }
          }
        }
      }
    }
  } finally {
    end()
  }
}

/** The calls that changed, in that order, each once. */
class News {
  lost = false
  /** @type {Set<string>} */
  #ids = new Set()
  #there = new AbortController()

  /** @param {string} id */
  add(id) {
    if (this.#ids.size >= mostTold) this.lost = true
    else this.#ids.add(id)
    this.#there.abort()
  }

  lose() {
    this.lost = true
    this.#there.abort()
  }

  /** Waits for some; none means that it is time to look for what has expired. @param {AbortSignal} [signal] */
  async take(signal) {
    await pause(sweep, this.#there.signal, signal)
    const ids = [...this.#ids]
    this.#ids.clear()
    if (!this.lost) this.#there = new AbortController()
    return ids
  }
}
