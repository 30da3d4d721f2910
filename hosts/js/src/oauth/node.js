import { loopback } from "./loopback-node.js"
import { clientCredentials as byClient, enterprise as byEnterprise } from "./machine.js"
import { dialedReach } from "./private-network-node.js"
import { newSignIn } from "./sign-in.js"

/** @import { AssertionWanted, MachineOptions } from "./machine.js" */
/** @import { SignIn as Holds, SignInOptions as Options } from "./contract.js" */

export * from "./web.js"

/** @template {{url: string | URL, fetch?: typeof fetch}} T @param {T} options @returns {T} */
const inReach = (options) => ({ ...options, fetch: options.fetch ?? dialedReach(options.url) })

/** See the one of a page. @param {MachineOptions} options */
export function clientCredentials(options) {
  return byClient(inReach(options))
}

/** See the one of a page. @param {MachineOptions & {assertion: (wanted: AssertionWanted) => Promise<string>}} options */
export function enterprise(options) {
  return byEnterprise(inReach(options))
}

/**
 * Signs in to one MCP server, in Node: the person's browser brings the answer
 * to a port of 127.0.0.1.
 *
 * @param {Options} options @returns {Holds}
 */
export function signIn(options) {
  return newSignIn(inReach(options), {
    surface: () => ({
      opens: false,
      type: () => "native",
      prepare: () => true,
      follow: () => false,
      callback: (wanted) => loopback({ ...wanted, port: options.callbackPort }),
      end() {},
    }),
  })
}
