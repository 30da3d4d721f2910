// A codec for the Guard whose key no file holds. A key service (KMS) has wrapped a data key, and unwraps it once, when
// the server starts; states are then sealed and opened here, without a request to anybody.
const { subtle } = globalThis.crypto

/** @import { OwnCodec } from "@parley-mcp/parley/codec" */

/**
 * What is used of a key service: Decrypt of AWS KMS, decrypt of Google Cloud KMS, transit/decrypt of Vault.
 *
 * @typedef {object} KeyService
 * @property {(wrapped: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>} unwrap
 */

/**
 * A token is base64url of these bytes. What is additional data is authenticated and not encrypted.
 *
 *     0  1  version
 *     1  4  which data key
 *     5 12  nonce, random: make a new data key long before 2^32 states
 *    17     AES-256-GCM(data key, nonce, plaintext, additional data = version|which|context), with its 16 bytes of tag
 */
const version = 1
const head = 5
const nonce = 12
const maxToken = 16_384 // characters

/**
 * All instances of a server have the same wrapped keys: the first seals, all open. To rotate, put a new one last on
 * every instance, then first, and drop the old one when the last state sealed with it has expired.
 *
 * @param {KeyService} service @param {Uint8Array<ArrayBuffer>[]} wrapped
 * @returns {Promise<OwnCodec>}
 */
export async function kmsCodec(service, wrapped) {
  const keys = await Promise.all(wrapped.map(async (one) => {
    const id = new Uint8Array(await subtle.digest("SHA-256", one)).subarray(0, head - 1)
    const secret = await service.unwrap(one)
    const key = await subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"])
    secret.fill(0)
    return { start: Buffer.from([version, ...id]), key }
  }))
  const [active] = keys
  if (!active) throw new Error("kms: a wrapped data key is needed")
  /** @param {Uint8Array} start @param {Uint8Array} iv @param {Uint8Array} context */
  const algorithm = (start, iv, context) => ({ name: "AES-GCM", iv: new Uint8Array(iv), additionalData: new Uint8Array(Buffer.concat([start, context])) })
  return {
    async seal(plaintext, context) {
      if (plaintext.length > maxToken) throw new Error("kms: the state does not fit a token")
      const iv = globalThis.crypto.getRandomValues(new Uint8Array(nonce))
      const sealed = await subtle.encrypt(algorithm(active.start, iv, context), active.key, new Uint8Array(plaintext))
      const token = Buffer.concat([active.start, iv, new Uint8Array(sealed)]).toString("base64url")
      if (token.length > maxToken) throw new Error("kms: the state does not fit a token")
      return token
    },
    async open(token, context) {
      if (token.length > maxToken) throw new Error("kms: too long for a token")
      const bytes = Buffer.from(token, "base64url")
      if (bytes.toString("base64url") !== token) throw new Error("kms: not the spelling of a token") // Buffer skips what it does not know
      const used = keys.find(({ start }) => start.equals(bytes.subarray(0, head)))
      if (!used) throw new Error("kms: sealed with a data key that this server does not have")
      const iv = bytes.subarray(head, head + nonce)
      return new Uint8Array(await subtle.decrypt(algorithm(used.start, iv, context), used.key, new Uint8Array(bytes.subarray(head + nonce))))
    },
  }
}
