/** Somebody else has the call, or has taken it in the meantime. */
export class TakenError extends Error {
  /** @param {number} [left] */
  constructor(left = 0) {
    super("parley: somebody else has the call")
    this.name = "TakenError"
    /** For how long, at most, unless they renew their lease. In milliseconds. */
    this.left = left
  }
}

/** There is no such call. */
export class NotFoundError extends Error {
  constructor() {
    super("parley: there is no such call")
    this.name = "NotFoundError"
  }
}

/** There is a call of that id already. */
export class ExistsError extends Error {
  constructor() {
    super("parley: there is a call of that id already")
    this.name = "ExistsError"
  }
}
