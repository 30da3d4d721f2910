/** A snapshot is not sealed, in a store that seals its snapshots. */
export class UnsealedError extends Error {
  constructor() {
    super("parley: the snapshot is not sealed: a store that was told unsealed reads it, and seals it when it is saved")
    this.name = "UnsealedError"
  }
}

/** A store has nothing to seal with, and was not told that what it keeps may lie open. */
export class NoBoxError extends Error {
  constructor() {
    super("parley: there is no box to seal calls with (unsealed keeps them as they are)")
    this.name = "NoBoxError"
  }
}

/** A call, or the whole store, was written by a version of Parley that keeps calls in another way. */
export class LayoutError extends Error {
  constructor() {
    super("parley: another version of Parley wrote it, in a layout that this one does not know")
    this.name = "LayoutError"
  }
}

/**
 * It is not known whether a step was made: there was no answer in time, or fewer
 * replicas than were wanted have confirmed it, and a failover may lose it.
 */
export class UnsureError extends Error {
  /** @param {string} why @param {ErrorOptions} [options] */
  constructor(why, options) {
    super(`parley: it is not known whether this was done: ${why}`, options)
    this.name = "UnsureError"
  }
}

/** A later step of the same lease was there before this one, which changes nothing any more. */
export class SupersededError extends Error {
  constructor() {
    super("parley: a later step of the same lease was there before")
    this.name = "SupersededError"
  }
}
