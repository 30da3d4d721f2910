import { PARK } from "../calls/askers.js"
import { begunWith, refusesScopes } from "./sign-in.js"
import { redeem, secrets } from "./tokens.js"

/** @import { ApplicationType } from "./contract.js" */
/** @import { Holder } from "./token-holder.js" */
/** @import { Begun, Surface } from "./sign-in.js" */

// A sign-in without a window: the page itself goes to the authorization server,
// and one that is loaded later ends it. Until then it lies in the storage of this
// tab alone.

/** @param {URL} own where the answer goes @param {() => ApplicationType} type @param {URL} server @returns {Surface} */
export function redirectSurface(own, type, server) {
  /** @type {Begun | undefined} */
  let begun
  /** @type {(parked: typeof PARK) => void} */
  let park
  return {
    opens: true,
    type,
    prepare: () => true,
    begin: (now) => (begun = now),
    follow() {
      sessionStorage.setItem(keyOf(server), JSON.stringify(begun))
      park(PARK) // `leave` goes there once the call is kept
      return true
    },
    callback: () => ({ redirectUri: own.href, response: new Promise((resolve) => (park = resolve)) }),
    end() {},
  }
}

/** @param {URL} server */
export function leave(server) {
  const begun = waiting(server)
  if (begun) location.assign(begun.url)
  return begun !== undefined
}

/** @param {Holder} holder @param {AbortSignal} [signal] */
export async function returned(holder, signal) {
  const { server } = holder
  const url = new URL(location.href)
  const begun = waiting(server)
  if (!begun || url.searchParams.get("state") !== begun.state) return
  sessionStorage.removeItem(keyOf(server)) // it is good for once
  history.replaceState(null, "", url.pathname) // and nothing for the history
  try {
    return await holder.keep(begun, begun.scopes, await redeem(holder.send(signal), begun, url.searchParams))
  } catch (error) {
    const [scopes, ...later] = begun.later ?? []
    if (!scopes || !refusesScopes(error)) throw error
    const next = begunWith({ ...begun, scopes, later }, await secrets(), server)
    sessionStorage.setItem(keyOf(server), JSON.stringify(next))
    location.assign(next.url)
  }
}

/** @param {URL} server @returns {Begun | undefined} */
function waiting(server) {
  const text = sessionStorage.getItem(keyOf(server))
  return text === null ? undefined : JSON.parse(text)
}

/** @param {URL} server */
function keyOf({ href }) {
  return `parley-sign-in ${href}`
}
