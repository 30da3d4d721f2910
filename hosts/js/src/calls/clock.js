/** The longest a timer can be set for, in milliseconds. */
export const maxTimer = 2 ** 31 - 1

/** Unix time in milliseconds by a clock that setting the wall clock does not move. */
export class Clock {
  #epoch = Date.now() - performance.now()
  /** @type {Alarm | undefined} */
  #spare
  #ended = false

  now() {
    return Math.floor(this.#epoch + performance.now())
  }

  /** Makes up for the time that the machine slept, which the clock may not have counted. */
  catchUp() {
    this.#epoch = Math.max(this.#epoch, Date.now() - performance.now())
  }

  /** An alarm that wakes somebody. @param {() => void} ring */
  alarm(ring) {
    const alarm = this.#spare ?? new Alarm(this)
    this.#spare = undefined
    return alarm.wakes(ring)
  }

  /** Takes back an alarm that nobody needs: one is kept for the next. @param {Alarm} alarm */
  release(alarm) {
    if (this.#spare || this.#ended) alarm.set(0)
    else (this.#spare = alarm).rest()
  }

  /** No alarm is needed any more. */
  end() {
    this.#ended = true
    this.#spare?.set(0)
  }
}

/** Rings at the given time, or a little earlier or later: whoever is woken too early sets it again. */
export class Alarm {
  #clock
  #ring = () => {}
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** When the timer goes off. */
  #goes = 0
  #until = 0
  #rests = false

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock
  }

  /** Whom it wakes from now on. @param {() => void} ring */
  wakes(ring) {
    this.#ring = ring
    return this
  }

  /**
   * Wakes nobody until it is set again, for whomever. Its timer is left to that if
   * a process does not stay for it, as Node can be told.
   */
  rest() {
    this.#ring = () => {}
    const timer = /** @type {Partial<NodeJS.Timeout> | undefined} */ (this.#timer)
    if (!timer?.unref) return this.set(0)
    timer.unref()
    this.#rests = true
  }

  /** Sets it, in place of any time before. @param {number} until Unix time in milliseconds; 0 is never */
  set(until) {
    this.#until = until
    if (this.#rests) this.#timer?.ref()
    this.#rests = false
    // A timer that goes off before is left as it is: most are never needed, and
    // each costs as much as a small call of the engine.
    if (this.#timer !== undefined && until >= this.#goes) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (until) this.#start()
  }

  #start() {
    this.#goes = this.#until
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#rests) return
      if (this.#until > this.#goes) this.#start()
      else this.#ring()
    }, Math.min(this.#until - this.#clock.now(), maxTimer))
  }
}
