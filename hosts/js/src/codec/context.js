/** Contexts keep tokens made for one purpose from being opened for another. */
export const Context = Object.freeze({
  /** What a Guard seals. */
  guard: "parley-guard/1",
  /** A codec plugged into an SDK's own sealing. */
  sdk: "parley-sdk/1",
  /** Followed by the flow's id: a parked call at rest. */
  snapshot: "parley-snapshot/1",
})
