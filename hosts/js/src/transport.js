/** @import { Abort, Delete, Listen, Post, Received, RequestAction } from "./session-core.js" */

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
 * Takes what came: `cause` is what failed, `call` that of the post whose
 * exchange it is. It never throws.
 *
 * @typedef {(event: Received, cause?: unknown, call?: number) => void} Receive
 */

/**
 * A session's hold on its transport. `perform` starts an exchange, or ends one
 * after which nothing more of it may be fed; it does not wait, and gets
 * requests if that is the kind. `reset` ends every exchange at once: the
 * session that had them is gone. `close` lets DELETEs and processes come to an
 * end, and ends the rest.
 *
 * @typedef {{perform(action: Carried | RequestAction): void, reset: () => void, close: () => Promise<void>}} Carrier
 */

export {}
