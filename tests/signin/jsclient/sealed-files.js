// Accounts in files, sealed with a key that lies elsewhere: the package leaves to each host where secrets are.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** @import { AccountStore } from "../../../hosts/js/dist/oauth/node.js" */

/** @param {string} folder @param {string} keyFile @returns {AccountStore} */
export function sealedFiles(folder, keyFile) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600, flag: "wx" })
  const secret = readFileSync(keyFile)
  const at = (/** @type {string} */ key) => join(folder, createHash("sha256").update(key).digest("hex"))
  return {
    get(key) {
      if (!existsSync(at(key))) return undefined
      const sealed = readFileSync(at(key))
      const cipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, 12)).setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString()
    },
    set(key, text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", secret, nonce)
      const sealed = Buffer.concat([cipher.update(text), cipher.final()])
      writeFileSync(`${at(key)}.new`, Buffer.concat([nonce, cipher.getAuthTag(), sealed]), { mode: 0o600 })
      renameSync(`${at(key)}.new`, at(key))
    },
    async lock(key, run) {
      const lock = `${at(key)}.lock`
      for (;;) {
        try {
          mkdirSync(lock)
          break
        } catch {
          await sleep(10)
        }
      }
      try {
        return await run()
      } finally {
        rmdirSync(lock)
      }
    },
  }
}
