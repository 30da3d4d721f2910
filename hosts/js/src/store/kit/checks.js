/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** @param {unknown} got @param {unknown} want @param {string} what */
export function equal(got, want, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)]
  if (a !== b) throw new Error(`${what}: got ${a?.slice(0, 300)}, want ${b?.slice(0, 300)}`)
}

/**
 * What something fails with: an instance of a class, if one is given.
 *
 * @param {string} what @param {() => unknown} work @param {new (...args: any[]) => Error} [kind]
 */
export async function fails(what, work, kind) {
  let error
  try {
    await work()
  } catch (thrown) {
    error = thrown
  }
  if (!(error instanceof (kind ?? Error))) throw new Error(`${what}: got ${error}, want ${kind?.name ?? "an error"}`, { cause: error })
  return error
}
