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
  return forbidden.test(String(error)) ? new Error(policy, { cause: error }) : error
}

// What Chromium, Firefox, WebKit and an embedder of V8 say. WebKit lets a module
// be compiled, but not instantiated.
const forbidden = /content security policy|unsafe-eval|blocked by csp|disallowed by embedder/i

const policy = "parley: the Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src directive"
