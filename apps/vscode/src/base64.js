// Bytes in files of JSON.

/** @param {Uint8Array} data */
export function base64(data) {
  return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""))
}

/** @param {string} text */
export function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
}
