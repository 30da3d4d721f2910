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
 * A store did what it was asked to do, and not as many of its replicas have it
 * as were wanted: a failover may lose it.
 */
export class UnsureError extends Error {
  /** @param {number} have @param {number} want */
  constructor(have, want) {
    super(`parley: it is saved, but too few replicas have confirmed it (${have} of ${want})`)
    this.name = "UnsureError"
  }
}
