// How a person leaves a step of a question other than by going on.

/** The person goes back a step. */
export const BACK = Symbol("back")

/** A signal whose reason is how a sheet is left when another one aborts: what it asks is moot. @param {AbortSignal} signal */
export function leavingWith(signal) {
  const leaving = new AbortController()
  const leave = () => leaving.abort(new Left("gone"))
  if (signal.aborted) leave()
  signal.addEventListener("abort", leave)
  return leaving.signal
}

/**
 * How a person leaves a sheet other than by an answer. `aside`: the sheet went
 * away, because Esc was pressed or something else was opened.
 */
export class Left extends Error {
  /** @param {"park" | "stop" | "aside" | "gone"} how */
  constructor(how) {
    super(`the person left by ${how}`)
    this.how = how
  }
}
