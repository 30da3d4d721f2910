import { sized } from "./reason.js"

/**
 * Reads the body of an HTTP response as text.
 */
export class Body {
  #reader
  #most
  #size = 0

  /** @param {Response} response @param {number} [most] bounds what is read at once, in bytes; 65 MiB if absent, a little more than what the engine takes */
  constructor(response, most = 65 << 20) {
    this.#reader = response.body?.getReader()
    this.#most = most
  }

  /** All of it. */
  async whole() {
    let body = ""
    for await (const text of this.parts(true)) body += text
    return body
  }

  /**
   * The text as it comes. Bytes that are not UTF-8 are refused: replaced, they
   * would be echoed as something else.
   *
   * @param {boolean} [ignoreBOM] keep a byte order mark, which is no JSON
   */
  async *parts(ignoreBOM = false) {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM })
    for (;;) {
      const { done, value } = (await this.#reader?.read()) ?? { done: true }
      this.#size += value?.length ?? 0
      if (this.#size > this.#most) throw new BodyError(`the response is longer than ${sized(this.#most)} (maxResponse)`)
      yield decode(decoder, value, !done)
      if (done) return
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
  /** @param {string} reason @param {unknown} [cause] */
  constructor(reason, cause) {
    super(`parley: ${reason}`, { cause })
    this.name = "BodyError"
    this.reason = reason
  }
}

/** Whether a response is a stream of events. @param {Response} response */
export function isStream(response) {
  return response.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() === "text/event-stream"
}

/** @param {TextDecoder} decoder @param {Uint8Array | undefined} bytes @param {boolean} stream */
function decode(decoder, bytes, stream) {
  try {
    return decoder.decode(bytes, { stream })
  } catch (cause) {
    throw new BodyError("the response is not UTF-8", cause)
  }
}
