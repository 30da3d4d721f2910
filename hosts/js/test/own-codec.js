// A codec of one's own as somebody writes it who has WebCrypto and the documentation of OwnCodec.

/** @import { OwnCodec } from "../dist/codec/index.js" */

/** AES-GCM under a new key. @returns {Promise<OwnCodec>} */
export async function aesCodec() {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  return {
    async seal(plaintext, context) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: new Uint8Array(context) }, key, new Uint8Array(plaintext))
      const token = Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url")
      if (token.length > 16_384) throw new Error("the state is too long")
      return token
    },
    async open(token, context) {
      const bytes = Buffer.from(token, "base64url")
      if (token.length > 16_384 || bytes.toString("base64url") !== token) throw new Error("no token")
      return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12), additionalData: new Uint8Array(context) }, key, bytes.subarray(12)))
    },
  }
}
