import { loopback } from "./oauth-loopback-node.js"
import { newSignIn } from "./oauth-sign-in.js"

/** @import { SignIn as Holds, SignInOptions as Options } from "./oauth.js" */

export * from "./oauth-web.js"

/**
 * Signs in to one MCP server, in Node: the person's browser brings the answer
 * to a port of 127.0.0.1.
 *
 * @param {Options} options @returns {Holds}
 */
export function signIn(options) {
  return newSignIn(options, {
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
