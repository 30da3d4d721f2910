/** @import { Abort, Delete, Listen, Post, Received, RequestAction } from "../engine/session.js" */

/**
 * How a session's messages travel. `kind` tells the session what to ask for:
 * header fields, streams and exchanges that end over http, lines that go both
 * ways, or requests for a connection that makes messages of them itself.
 *
 * @typedef {object} Transport
 * @property {"http" | "stdio" | "requests"} kind
 * @property {(receive: Receive) => Carrier} open is called once for each session
 */

/** What a transport of messages is asked to do. @typedef {Post | Listen | Delete | Abort} Carried */

/**
 * Takes what came: `cause` is what failed. It never throws. A message that is long is taken bit by bit:
 * until the promise that then comes back settles, feed no more of that exchange
 * where you can, as it would be kept.
 *
 * @typedef {(event: Received, cause?: unknown) => Promise<void> | void} Receive
 */

/**
 * A session's hold on its transport. `perform` starts an exchange, or ends one
 * after which nothing more of it may be fed; it does not wait, and gets
 * requests if that is the kind. An exchange that it has not begun, such as a
 * message in a queue, it drops at an `abort`, and at a `post` that `cancels` it
 * together with that; before it returns it then feeds that it has `ended`, `unsent`.
 * `reset` ends every exchange at once, and nothing more of any is fed: the
 * engine's instance that had them is gone. `close` gives what is the session's own, such
 * as cancellations and DELETEs, and processes a time to come to an end, and ends
 * the rest at once.
 *
 * `authorized` tells how often the authorization of its requests has changed, as
 * messages do; without it, it does not.
 *
 * @typedef {{perform(action: Carried | RequestAction): void, reset: () => void, close: () => Promise<void>, authorized?: (signal: AbortSignal) => Promise<number>}} Carrier
 */

export {}
