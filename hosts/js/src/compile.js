import { explained } from "./policy.js"

/** What the engine's module can be had from. @typedef {WebAssembly.Module | BufferSource | Response | URL | string} Source */

/**
 * Compiles the engine's module. Strings and URLs are fetched.
 *
 * @param {Source | Promise<Source>} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
  let from = await source
  if (typeof from === "string" || from instanceof URL) from = await fetch(from)
  if (is("WebAssembly.Module", from)) return /** @type {WebAssembly.Module} */ (from)
  try {
    if (is("Response", from)) return await received(/** @type {Response} */ (from))
    return await WebAssembly.compile(/** @type {BufferSource} */ (from))
  } catch (error) {
    throw explained(error)
  }
}

/** @param {Response} response */
async function received(response) {
  if (!response.ok) throw new Error(`parley: fetching the engine: HTTP status ${response.status} for ${response.url}`)
  // Streaming is refused where the server does not know the type of .wasm files.
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response)
  return WebAssembly.compile(await response.arrayBuffer())
}

/** By what it says it is, not by instanceof: it may come from another realm. @param {string} kind @param {object} value */
function is(kind, value) {
  return Object.prototype.toString.call(value) === `[object ${kind}]`
}
