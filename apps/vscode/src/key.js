// The key that calls are sealed with: one for all windows. VS Code keeps it
// where the system keeps secrets, but tells no window whether another is just
// making one, and in a browser a window sees only the secrets that were there
// when it was opened. So a mark beside the calls tells which key is in use.

import { NotFoundError, TakenError } from "@parley-mcp/parley/core"
import { newKey } from "@parley-mcp/parley/codec"

/** @import { Lease, ParkingStore } from "@parley-mcp/parley" */
/** @import { SecretStorage } from "vscode" */

/** What the key is called among the secrets. */
const secretName = "parley.snapshot-key"

/** The mark's id in its store. */
const mark = "key"

/** How long to wait between two looks, in milliseconds. */
const pause = 200

/** How often to look for a key that another window has made. */
const looks = 25

/** The key in use is not among the secrets that this window sees. */
export class KeyError extends Error {
  constructor() {
    super("the key that calls are sealed with is not among this window’s secrets")
  }
}

/**
 * The key in use, as a key file; the first window makes it. Fails with a
 * {@link KeyError} where one is in use and cannot be had, unless it is to be
 * replaced: what it sealed is lost then.
 *
 * @param {Pick<SecretStorage, "get" | "store">} secrets
 * @param {ParkingStore} marks
 * @param {{replace?: boolean}} [options]
 */
export async function keyInUse(secrets, marks, { replace = false } = {}) {
  const { lease, fingerprint } = await hold(marks)
  try {
    if (fingerprint !== undefined) {
      for (let look = 0; look < (replace ? 1 : looks); look++) {
        if (look) await new Promise((resolve) => setTimeout(resolve, pause))
        const key = await secrets.get(secretName)
        if (key !== undefined && (await fingerprintOf(key)) === fingerprint) return key
      }
      if (!replace) throw new KeyError()
    }
    const bytes = newKey()
    const key = new TextDecoder().decode(bytes)
    bytes.fill(0)
    await secrets.store(secretName, key)
    await lease.save(await fingerprintOf(key))
    return key
  } finally {
    await lease.release()
  }
}

/** The mark, while nobody else has it. @param {ParkingStore} marks @returns {Promise<{lease: Lease, fingerprint?: string}>} */
async function hold(marks) {
  for (;;) {
    try {
      const { lease, snapshot } = await marks.take(mark)
      return { lease, fingerprint: snapshot }
    } catch (error) {
      if (error instanceof NotFoundError) {
        try {
          return { lease: await marks.create(mark) }
        } catch (failure) {
          if (!(failure instanceof TakenError) && !(await isThere(marks))) throw failure
          // Another window was first.
        }
      } else if (!(error instanceof TakenError)) {
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** @param {ParkingStore} marks */
async function isThere(marks) {
  return (await marks.list()).some(({ id }) => id === mark)
}

/** Tells keys apart, and nothing more: 64 bits of a hash of 256 random ones. @param {string} key */
async function fingerprintOf(key) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`parley-vscode ${key}`)))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
