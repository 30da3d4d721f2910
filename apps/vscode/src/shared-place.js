// Stores that others have, too: only where the extension runs in Node.

import { mkdirSync, statSync } from "node:fs"

import { createClient } from "@redis/client"
import { redisStore } from "@parley-mcp/parley/store"

import { FileEntries } from "./entries.js"
import { KeyFileBox } from "./key-file.js"
import { folderPlace } from "./place.js"
import { readStoreURL, withPassword } from "./store-url.js"

/** @import { SealingBox } from "@parley-mcp/parley/store" */
/** @import { Folder } from "./entries.js" */
/** @import { Place } from "./place.js" */

/**
 * @typedef {object} Sharing
 * @property {string} url
 * @property {string} [password] of the Redis, if the URL has none
 * @property {string} [keyFile] which all programs at the store have
 * @property {WebAssembly.Module} codec parley-codec.wasm
 * @property {(dir: string) => Folder} folder
 */

/** The store of a URL. Rejects with a sentence that has nothing of a secret. @param {Sharing} sharing @returns {Promise<Place>} */
export async function sharedPlace({ url, password, keyFile, codec, folder }) {
  const { dir, redis } = readStoreURL(url)
  if (!keyFile) {
    throw new Error("the store is shared, so its key is, too: name the key file of its other programs in parley.keyFile, or a new one that parley token new-key has made")
  }
  const box = new KeyFileBox(codec, keyFile)
  await box.ready()
  if (dir !== undefined) {
    return folderPlace(new FileEntries(await ownFolder(dir, folder)), box, undefined, () => box.close())
  }
  const { url: address, ...where } = redis
  const client = createClient({ url: withPassword(address, password) })
  /** What the server said last. @type {string} */
  let said = ""
  client.on("error", ({ message, code }) => (said = String(message || code)))
  client.connect().catch(() => {}) // it is tried again; what keeps it from it is said above
  const close = () => {
    client.destroy()
    box.close()
  }
  try {
    return { store: await redisStore(client, { box, ...where }), close }
  } catch (error) {
    close()
    const more = /NOAUTH|WRONGPASS/.test(said) ? ". Run Parley: Set the Password of the Store…" : ""
    throw new Error(`${error instanceof Error ? error.message.replace(/^parley: /, "") : "it does not answer"}${said && ` (${said})`}${more}`)
  }
}

/** A folder that is the person's alone, and of this layout. @param {string} dir @param {(dir: string) => Folder} folder */
async function ownFolder(dir, folder) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(dir)
  if (process.getuid && (uid !== process.getuid() || mode & 0o022)) throw new Error(`others may write to ${dir}: calls are kept in a directory that is yours alone`)
  const files = folder(dir)
  if ((await files.names()).some((name) => name === ".index" || name.endsWith(".call"))) {
    throw new Error(`${dir} is where Parley’s programs in Go keep calls, in a layout that VS Code does not write: share a redis:// with them, and move the calls there with parley store move`)
  }
  return files
}
