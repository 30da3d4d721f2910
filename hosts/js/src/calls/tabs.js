import { PARK } from "./askers.js"

/** @import { Answer, AskContext, Asker, Askers, Question } from "./askers.js" */

/**
 * What tabs say to each other about a call: `who` and `answer` come from those
 * that watch it, the others from the one that runs it.
 *
 * @typedef {{call: string} & ({type: "who"}
 *   | {type: "answer", ask: number, token: number, answer?: import("../engine/call.js").Json, park?: boolean}
 *   | {type: "questions", questions: Question[]}
 *   | {type: "answered", token: number, taken: boolean}
 *   | {type: "over"})} Said
 */

/** Of the BroadcastChannel, which reaches the tabs of one origin. */
const defaultChannel = "parley"

/**
 * Lets other tabs see and answer the questions of a call that runs here. Run it
 * with the askers returned; a question is answered by whoever is first, and
 * the signal of this tab's own asker aborts if another tab was.
 *
 * @template {Askers} T
 * @param {string} id of the call, as in the store
 * @param {T} askers
 * @param {{channel?: string}} [options]
 * @returns {{askers: T, close: () => void}} close it when the call has ended
 */
export function shareCall(id, askers, { channel: name = defaultChannel } = {}) {
  const channel = new BroadcastChannel(name)
  /** @type {Map<number, {question: Question, resolve: (answer: Answer) => void}>} */
  const open = new Map()
  /** @param {Said} said */
  const say = (said) => channel.postMessage(said)
  const publish = () => say({ call: id, type: "questions", questions: [...open.values()].map(({ question }) => question) })

  channel.onmessage = ({ data }) => {
    const said = /** @type {Said} */ (data)
    if (said.call !== id) return
    if (said.type === "who") publish()
    if (said.type === "answer") {
      const asked = open.get(said.ask)
      say({ call: id, type: "answered", token: said.token, taken: asked !== undefined })
      open.delete(said.ask)
      asked?.resolve(said.park ? PARK : (said.answer ?? ""))
    }
  }

  /** @param {Asker | undefined} asker @returns {Asker | undefined} */
  const shared = (asker) =>
    asker &&
    (async (question, { signal }) => {
      const own = new AbortController()
      signal.addEventListener("abort", () => own.abort())
      /** @type {Promise<Answer>} */
      const elsewhere = new Promise((resolve) => open.set(question.ask, { question, resolve }))
      publish()
      try {
        return await Promise.race([asker.call(askers, question, { signal: own.signal }), elsewhere])
      } finally {
        if (!open.delete(question.ask)) own.abort() // only now: a dialog that is told to close may reject
        publish()
      }
    })
  return {
    askers: {
      ...askers,
      elicit: shared(askers.elicit),
      elicitURL: shared(askers.elicitURL),
      sample: shared(askers.sample),
      listRoots: shared(askers.listRoots),
    },
    close() {
      say({ call: id, type: "over" })
      channel.close()
    },
  }
}

/**
 * Watches a call that runs in another tab, to answer its questions from here.
 * If nobody takes an answer, the tab may be gone: `store.take` will tell.
 *
 * @param {string} id
 * @param {{onQuestions: (questions: Question[]) => void, onOver?: () => void, channel?: string, patience?: number}} options
 *   onQuestions gets the questions that are open, whenever they change; onOver
 *   is called when the call has ended; patience is how long to wait for the
 *   other tab, 1,000 ms if absent
 */
export function watchCall(id, { onQuestions, onOver, channel: name = defaultChannel, patience = 1000 }) {
  const channel = new BroadcastChannel(name)
  /** @type {Map<number, (taken: boolean) => void>} */
  const waiting = new Map()
  /** @param {Said} said */
  const say = (said) => channel.postMessage(said)

  channel.onmessage = ({ data }) => {
    const said = /** @type {Said} */ (data)
    if (said.call !== id) return
    if (said.type === "questions") onQuestions(said.questions)
    if (said.type === "over") onOver?.()
    if (said.type === "answered") waiting.get(said.token)?.(said.taken)
  }
  say({ call: id, type: "who" })

  return {
    /**
     * Hands an answer to the tab that runs the call. False if it does not take
     * it: the question is answered already, or the tab is gone. An answer that
     * the engine cannot send brings the question back with its `problem`.
     *
     * @param {number} ask the question's id
     * @param {Answer} answer
     * @returns {Promise<boolean>}
     */
    async answer(ask, answer) {
      const token = Math.random() // tells answers apart, nothing more
      const taken = new Promise((resolve) => {
        waiting.set(token, resolve)
        setTimeout(resolve, patience, false)
      })
      say({ call: id, type: "answer", ask, token, ...(typeof answer === "symbol" ? { park: answer === PARK } : { answer }) })
      try {
        return /** @type {boolean} */ (await taken)
      } finally {
        waiting.delete(token)
      }
    },

    close() {
      channel.close()
    },
  }
}
