import assert from "node:assert/strict"

/** How long anything may take, in milliseconds. Nobody waits for it on a good day. */
export const patience = 180_000

/** The browser has ended: no patience helps. */
export class GoneError extends Error {}

/**
 * Does something again and again until it works. When patience ends, so does
 * this, with what it failed of last.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @param {number} [pause] in milliseconds
 * @returns {Promise<T>}
 */
export async function patiently(work, pause = 25) {
  const end = Date.now() + patience
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end || error instanceof GoneError) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Waits for a condition. @param {() => unknown} condition @param {string} what */
export function until(condition, what) {
  return patiently(() => assert.ok(condition(), `waited for ${what}`))
}
