import { SignInError } from "./error.js"
import { linked } from "./linked-signal.js"
import { heard, objectOf } from "./refusal-text.js"

/** What an answer in a sign-in may be long, in bytes. */
const most = 1 << 20

/** How long a request may take, in milliseconds. */
const patience = 30_000

/** @typedef {(url: string, init?: RequestInit) => Promise<Response>} Send */

/**
 * Makes requests of a sign-in: without cookies, bounded in time and size, and
 * never redirected, since a code or a secret may be in them.
 *
 * @param {{fetch?: typeof fetch, timeout?: number}} options @param {AbortSignal} [signal]
 * @returns {Send}
 */
export function sender({ fetch: given, timeout = patience }, signal) {
  return async (url, init) => {
    const { host } = new URL(url)
    const link = linked(signal)
    const timer = setTimeout(() => link.abort(new SignInError("unreachable", `${host} did not answer within ${timeout / 1000} s`)), timeout)
    const exchange = async () => {
      const response = await (given ?? fetch)(url, { ...init, redirect: "manual", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", signal: link.signal })
      const { status, type, headers } = response
      if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
        throw new SignInError("unreachable", `${host} redirects a request of the sign-in: it is not followed`)
      }
      const text = await read(response, host)
      return new Response(text || null, { status, headers: { "Content-Type": headers.get("Content-Type") ?? "" } })
    }
    try {
      return await Promise.race([exchange(), link.ended])
    } catch (error) {
      if (link.signal.aborted || error instanceof SignInError) throw link.signal.reason ?? error
      const hidden = "document" in globalThis ? `, or does not let ${location.origin} read its answers (CORS)` : ""
      throw Object.assign(new SignInError("unreachable", `${host} cannot be reached${hidden}`), { cause: error })
    } finally {
      clearTimeout(timer)
      link.end()
    }
  }
}

/** @param {Response} response @param {string} host */
async function read({ body }, host) {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    size += value?.length ?? 0
    if (size > most) throw new SignInError("metadata", `${host} answered with more than 1 MB`)
    text += decoder.decode(value, { stream: !done })
    if (done) break
  }
  return text
}

/** Whether the Content-Type of a response says JSON. @param {Response} response */
export function isLabelledJSON({ headers }) {
  return /^application\/json\b/i.test(headers.get("Content-Type") ?? "")
}

/** The JSON object that a response is, if it is one. @param {Response} response */
export async function objectIn(response) {
  return objectOf(await response.text())
}

/** What a response says that refuses. @param {Response} response @param {(string | null | undefined)[]} [secrets] what must not come up in it */
export async function refusalIn(response, secrets = []) {
  const { status } = response
  return { status, ...heard(response.headers.get("Content-Type") ?? "", await response.text(), secrets) }
}
