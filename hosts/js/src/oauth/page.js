import { SignInError } from "./error.js"
import { newSignIn } from "./sign-in.js"
import { newId } from "../store/parking.js"

/** @import { SignIn, SignInOptions } from "./contract.js" */
/** @import { Surface } from "./sign-in.js" */

// The answer comes by a channel, not from the window: an authorization server
// that isolates itself (Cross-Origin-Opener-Policy) cuts the window off, and
// then it also looks closed when it is not.

/** Of the BroadcastChannel, which reaches the pages of one origin. */
const channelName = "parley-sign-in"

/** How long the page that waits may take to say that it has the answer, in milliseconds. */
const patience = 2000

/** What is said there. @typedef {{type: "answer", url: string} | {type: "taken", state: string}} Said */

/**
 * Signs in to one MCP server, in a page.
 *
 * @param {SignInOptions} options @returns {SignIn}
 */
export function signIn(options) {
  if (!options.redirect) return newSignIn(options, { surface: windowSurface })
  const away = () => import("./redirect.js")
  return newSignIn(options, {
    surface: async ({ redirectUri }, server) => {
      const own = ownRedirectUri(redirectUri)
      return (await away()).redirectSurface(own, () => applicationType(own), server)
    },
    leave: async (server) => (await away()).leave(server),
    returned: async (holder, signal) => (await away()).returned(holder, signal),
  })
}

/**
 * In the page of `redirectUri`: hands the answer to the page that waits for it,
 * and closes this window. False if this page is not called by an authorization
 * server, or nobody waits: then say so.
 *
 * @returns {Promise<boolean>}
 */
export async function signInCallback() {
  const url = new URL(location.href)
  const state = url.searchParams.get("state")
  if (!state) return false
  history.replaceState(null, "", url.pathname) // a code is nothing for the history
  const channel = new BroadcastChannel(channelName)
  const taken = await new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      const said = /** @type {Said} */ (data)
      if (said.type === "taken" && said.state === state) resolve(true)
    }
    channel.postMessage(/** @type {Said} */ ({ type: "answer", url: url.href }))
    setTimeout(resolve, patience, false)
  })
  channel.close()
  if (taken) close()
  return taken
}

/** A window of its own. @param {SignInOptions} options @returns {Surface} */
function windowSurface({ redirectUri }) {
  const own = () => ownRedirectUri(redirectUri) // only if the host has no callback of its own, which may be no page
  /** @type {Window | null} */
  let shown = null
  /** @type {Window | null} */
  let answered = null
  const prepare = () => {
    shown ??= open("", `parley-${newId()}`, "popup,width=520,height=720") // no page of somebody else's has a window of that name
    if (shown) shown.opener = null // who will be shown there must not lead this page elsewhere
    return shown !== null
  }
  return {
    opens: true,
    type: () => applicationType(own()),
    prepare,
    follow(url) {
      if (shown?.closed) shown = null
      if (!shown) prepare()
      shown?.location.replace(url)
      return shown !== null
    },
    callback({ state }) {
      const channel = new BroadcastChannel(channelName)
      /** @type {Promise<string>} */
      const response = new Promise((resolve) => {
        channel.onmessage = ({ data }) => {
          const said = /** @type {Said} */ (data)
          if (said.type !== "answer" || new URL(said.url).searchParams.get("state") !== state) return
          channel.postMessage(/** @type {Said} */ ({ type: "taken", state }))
          answered = shown
          shown = null // it closes itself: what follows needs another
          resolve(said.url)
        }
      })
      return { redirectUri: own().href, response, close: () => channel.close() }
    },
    end() {
      for (const one of [shown, answered]) one?.close()
      shown = null
    },
  }
}

/** @param {string} [given] */
function ownRedirectUri(given) {
  const url = new URL(given ?? location.pathname, location.href)
  if (url.origin !== location.origin) throw new SignInError("address", `the redirectUri has to be of ${location.origin}`)
  return url
}

/** Sites have to be reached by https (OpenID Connect Registration, 2). @param {URL} url */
function applicationType({ protocol }) {
  return protocol === "https:" ? "web" : "native"
}
