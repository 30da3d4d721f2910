import { explained } from "./content-security-policy.js"

/** What a module can be had from. @typedef {WebAssembly.Module | BufferSource | Response | URL | string} Source */

/**
 * Compiles a module of the package, while it arrives where the platform can. Strings and URLs are fetched. Fails with an
 * Error that says what came from where, if that is no WebAssembly: servers of
 * pages tend to answer with a page whatever they are asked for.
 *
 * @param {Source | Promise<Source>} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
  const from = await source
  if (is("WebAssembly.Module", from)) return /** @type {WebAssembly.Module} */ (from)
  if (typeof from === "string" || from instanceof URL) return fetched(from)
  if (is("Response", from)) return received(/** @type {Response} */ (from), "the response")
  return compiled(checked(/** @type {BufferSource} */ (from), "the source"))
}

/** @param {BufferSource} bytes */
async function compiled(bytes) {
  try {
    return await WebAssembly.compile(bytes)
  } catch (error) {
    throw explained(error)
  }
}

/** @param {URL | string} from */
async function fetched(from) {
  let place = String(from)
  let response
  try {
    const request = new Request(from)
    place = request.url
    response = await fetch(request)
  } catch (cause) {
    throw missing(`${shown(place)} could not be fetched`, cause)
  }
  return received(response, shown(place))
}

/** @param {Response} response @param {string} place */
async function received(response, place) {
  if (!response.ok) throw missing(`${place} answered with HTTP status ${response.status}`)
  return (await streamed(response)) ?? compiled(checked(await response.arrayBuffer(), place))
}

/** The module, if it says that it is one and is: what else came is told by its bytes. @param {Response} response */
async function streamed(response) {
  try {
    if (response.headers.get("Content-Type") === "application/wasm") return await WebAssembly.compileStreaming(response.clone())
  } catch {}
}

/** The bytes, if they begin as a module does. @param {BufferSource} bytes @param {string} place */
function checked(bytes, place) {
  const all = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)
  const text = new TextDecoder().decode(all.subarray(0, 100))
  if (text.startsWith("\0asm")) return bytes
  throw missing(`${place} gave ${kind(text)} in place of a WebAssembly module`)
}

/** What begins like this. @param {string} text */
function kind(text) {
  if (text === "") return "nothing"
  if (/^\s*</.test(text)) return "an HTML page"
  return /^\s*[[{]/.test(text) ? "JSON" : "something else"
}

/** @param {string} problem @param {unknown} [cause] */
function missing(problem, cause) {
  const advice = "serve the package's .wasm file there, give it as `source`, or import the engine from \"@parley-mcp/parley/inline\", which needs no file"
  return new Error(`parley: ${problem}: ${advice}`, { cause })
}

/** A URL in an Error: without what may be a secret, and short where it is the data itself. @param {string} url */
function shown(url) {
  return (url.split(/[?#]/)[0] ?? "").slice(0, 200)
}

/** By what it says it is, not by instanceof: it may come from another realm. @param {string} kind @param {unknown} value */
function is(kind, value) {
  return Object.prototype.toString.call(value) === `[object ${kind}]`
}
