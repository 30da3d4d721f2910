// A sign-in under way: where it is, and what the person can do next.

import { NotNow, whyNot } from "../../shared-js/sign-in.js"

/** @import { Change, Prompt, SignInPage } from "@parley-mcp/parley/oauth" */

/**
 * Where a sign-in is. It is asked for; the browser opened no window; the page
 * finds out where to go; a window is there, or has to be opened by a press of a
 * button; the answer is checked; this page itself goes there.
 *
 * @typedef {{at: "asked", problem?: string} | {at: "blocked"} | {at: "looking"} | {at: "window", page: SignInPage, blocked: boolean}
 *   | {at: "checking"} | {at: "leaving", page?: SignInPage}} Where
 */

/** The person goes back to the question, or another way. */
const back = Symbol("back")

/** It emits "change" when it is somewhere else. */
export class SigningIn extends EventTarget {
  /** @type {Where} */
  where
  /** Whether this page itself is to go there. */
  leaves = false
  /** Why the last sign-in is over, if the authorization server said so. */
  ended = ""
  /** That the server has people sign in elsewhere than before. @type {Change | undefined} */
  moved
  /** Whether a person was asked at all. */
  asked = false
  /** Why it is over, once it is for good. @type {{reason: unknown} | undefined} */
  over
  #show
  /** Ends the present try. @type {AbortController | undefined} */
  #try
  /** @type {Prompt | undefined} */
  #prompt
  /** @type {() => void} */
  #said = () => {}

  /**
   * @param {string} host of the server @param {{status: 401 | 403, error?: string, scopes: string[]}} wanted
   * @param {boolean} forCall a call waits for it @param {() => void} show is called when a person has to be asked @param {string} [problem] of the last time
   */
  constructor(host, wanted, forCall, show, problem) {
    super()
    this.host = host
    this.wanted = wanted
    this.forCall = forCall
    this.#show = show
    this.where = { at: "asked", problem }
  }

  /** Begins to try. @param {AbortSignal} signal of the question */
  try(signal) {
    this.#try = new AbortController()
    return { signal: AbortSignal.any([signal, this.#try.signal]) }
  }

  /** Waits for the person to say yes. @param {Prompt} prompt @param {AbortSignal} signal */
  async ask(prompt, signal) {
    this.#prompt = prompt
    if (this.leaves) return
    this.ended = prompt.over ? whyNot(prompt.over) : ""
    if (this.where.at !== "asked" || this.ended) this.#go(this.where.at === "asked" ? this.where : { at: "asked" })
    if (!this.asked) this.#show()
    this.asked = true
    await this.#yes(signal)
  }

  /** Waits for the person to say yes to another place to sign in at; once for each. @param {Change} change @param {AbortSignal} signal */
  async change(change, signal) {
    if (this.moved?.issuer === change.issuer) return
    this.#go({ at: "asked" }, change)
    await this.#yes(signal)
  }

  /** @param {AbortSignal} signal */
  async #yes(signal) {
    await new Promise((resolve, reject) => {
      this.#said = () => resolve(undefined)
      signal.addEventListener("abort", () => reject(signal.reason))
      if (signal.aborted) reject(signal.reason)
    })
    this.#go({ at: "looking" })
  }

  /** Shows where they sign in. @param {SignInPage} page @param {AbortSignal} signal aborts when the answer is here */
  open(page, signal) {
    if (this.leaves) {
      page.follow()
      return this.#go({ at: "leaving", page })
    }
    signal.addEventListener("abort", () => !this.#try?.signal.aborted && this.#go({ at: "checking" }))
    this.#go({ at: "window", page, blocked: !page.follow() })
  }

  /**
   * It came to nothing this time, and is asked again, unless it is over.
   *
   * @param {unknown} error @param {(error: unknown) => string} words
   */
  again(error, words) {
    this.leaves &&= error === back
    this.#go(this.leaves ? { at: "leaving" } : { at: "asked", problem: error === back ? undefined : words(error) })
  }

  /** The person says yes: in the handler of the click, because only there a window opens. */
  yes() {
    if (this.#prompt?.open()) this.#said()
    else this.#go({ at: "blocked" })
  }

  /** This page itself shall go there. */
  here() {
    this.leaves = true
    this.cancel()
  }

  /** The window shall be there again: in the handler of the click. */
  follow() {
    if (this.where.at === "window") this.#go({ ...this.where, blocked: !this.where.page.follow() })
  }

  cancel() {
    this.#try?.abort(back)
  }

  notNow() {
    this.end(new NotNow())
  }

  /** It is over for good. @param {unknown} reason */
  end(reason) {
    this.over ??= { reason }
    this.#try?.abort(reason)
  }

  /** @param {Where} where @param {Change} [moved] */
  #go(where, moved = this.moved) {
    this.where = where
    this.moved = moved
    this.dispatchEvent(new Event("change"))
  }
}
