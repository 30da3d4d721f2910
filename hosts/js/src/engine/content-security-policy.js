/**
 * Compiles or instantiates WebAssembly. If the page's Content-Security-Policy
 * forbids it, the error says what to add.
 *
 * @template T @param {() => T} make @returns {T}
 */
export function permitted(make) {
  try {
    return make()
  } catch (error) {
    throw explained(error)
  }
}

/** The error to throw in place of one of WebAssembly. @param {unknown} error */
export function explained(error) {
  if (typeof WebAssembly === "undefined") return new Error(`parley: there is no WebAssembly here, as in the Lockdown Mode of iOS: ${elsewhere}`, { cause: error })
  return forbidden.test(String(error)) ? new Error(`parley: the Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src directive, or ${elsewhere}`, { cause: error }) : error
}

// What Chromium, Firefox, WebKit and an embedder of V8 say. WebKit lets a module
// be compiled, but not instantiated.
const forbidden = /content security policy|unsafe-eval|blocked by csp|disallowed by embedder/i

const elsewhere = 'have the calls driven on your own server, with "@parley-mcp/parley/remote"'
