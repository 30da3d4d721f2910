import { compile } from "./compile.js"

/**
 * The engine's module from `beside` the package's files. Bundlers tend to leave
 * it behind there; then it is the one that a script carries, which is loaded only
 * then. Fails as `beside` does where that script is missing, too.
 *
 * @param {() => Promise<WebAssembly.Module>} beside
 * @param {(error: unknown) => void} [tell] is told why the script was needed
 */
export async function orCarried(beside, tell) {
  try {
    return await beside()
  } catch (error) {
    const { carried } = await import("./embedded.js").catch(() => {
      throw error
    })
    tell?.(error)
    return compile(carried())
  }
}
