/**
 * The error to throw where a request certainly never reached the server: a
 * tool call that failed so is not in doubt.
 *
 * @param {string} message @param {unknown} [cause]
 */
export function unsent(message, cause) {
  return Object.assign(new Error(`parley: ${message}`, { cause }), { unsent: true })
}

/** Whether an error, or what caused it, is one of those. @param {unknown} error */
export function isUnsent(error) {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
    if ("unsent" in e && e.unsent === true) return true
  }
  return false
}

/**
 * Whether a failed fetch certainly sent nothing, as Node can tell. A browser
 * hides it.
 *
 * @param {unknown} error
 */
export function neverConnected(error) {
  const cause = error instanceof Error ? /** @type {{code?: string, syscall?: string, errors?: {syscall?: string}[]} | undefined} */ (error.cause) : undefined
  if (cause?.code === "UND_ERR_CONNECT_TIMEOUT") return true
  return (cause?.errors ?? [cause]).every((e) => e?.syscall === "connect" || e?.syscall === "getaddrinfo")
}
