import { open } from "node:fs/promises"

/**
 * Writes a file that nobody but the person can read: one that is there already
 * becomes so before anything is in it. False where others may read it all the
 * same: it is somebody else's, or the file system knows no permissions.
 *
 * @param {string} path @param {Uint8Array} data
 */
export async function writePrivately(path, data) {
  const file = await open(path, "w", 0o600)
  try {
    await file.chmod(0o600).catch(() => {})
    const { mode } = await file.stat()
    await file.writeFile(data)
    return (mode & 0o077) === 0
  } finally {
    await file.close()
  }
}
