import { sized } from "./failure-reason.js"
import { say, translate } from "../texts/sentence.js"

/** @import { Sentence } from "../texts/sentence.js" */

/**
 * Reads the body of an HTTP response.
 */
export class Body {
  #reader
  #most
  #size = 0

  /** What was read before its turn. @type {ReadableStreamReadResult<Uint8Array> | undefined} */
  #first

  /** @param {Response} response @param {number} [most] bounds what is read at once, in bytes; 65 MiB if absent, a little more than what the engine takes */
  constructor(response, most = 65 << 20) {
    this.#reader = response.body?.getReader()
    this.#most = most
  }

  /** Whether it is JSON, whatever its Content-Type says: no line of an event stream begins like this. */
  async isJSON() {
    this.#first = await this.#reader?.read()
    const byte = this.#first?.value?.[0]
    return byte === 0x7b || byte === 0x5b
  }

  /** All of it, as it came. */
  async whole() {
    /** @type {Uint8Array[]} */
    const parts = []
    for await (const bytes of this.#bytes()) parts.push(bytes)
    if (parts.length === 1) return /** @type {Uint8Array} */ (parts[0])
    const whole = new Uint8Array(this.#size)
    let at = 0
    for (const bytes of parts) {
      whole.set(bytes, at)
      at += bytes.length
    }
    return whole
  }

  /**
   * The text as it comes. Bytes that are not UTF-8 are refused: replaced, they
   * would be echoed as something else.
   */
  async *parts() {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    for await (const bytes of this.#bytes()) yield decode(decoder, bytes)
    yield decode(decoder)
  }

  async *#bytes() {
    for (;;) {
      const { done, value } = this.#first ?? (await this.#reader?.read()) ?? { done: true }
      this.#first = undefined
      if (done) return
      this.#size += value.length
      if (this.#size > this.#most) throw new BodyError(say`the response is longer than ${sized(this.#most)} (maxResponse)`)
      yield value
    }
  }

  /** What was read so far makes a whole: the bound is for what comes next. */
  taken() {
    this.#size = 0
  }

  /** Stops reading: the connection is of no use any more. */
  close() {
    this.#reader?.cancel().catch(() => {})
  }
}

/** A body that cannot be used. `reason` says why. */
export class BodyError extends Error {
  /** @param {Sentence} reason @param {unknown} [cause] */
  constructor(reason, cause) {
    super(`parley: ${translate(reason)}`, { cause })
    this.name = "BodyError"
    this.reason = reason
  }
}

/** Whether a response is a stream of events. @param {Response} response */
export function isStream(response) {
  return response.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() === "text/event-stream"
}

/** The text of more bytes, or what is left at the end. @param {TextDecoder} decoder @param {Uint8Array} [bytes] */
function decode(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    throw new BodyError(say`the response is not UTF-8`, cause)
  }
}
