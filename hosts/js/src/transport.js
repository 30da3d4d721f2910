/** @import { Abort, Delete, Listen, Post, Received } from "./session-core.js" */

/**
 * How a session's messages travel. `kind` tells the session what to ask for:
 * header fields, streams and exchanges that end over http, or lines that go
 * both ways.
 *
 * @typedef {object} Transport
 * @property {"http" | "stdio"} kind
 * @property {(receive: Receive) => Carrier} open is called once for each session
 */

/** What a transport is asked to do. @typedef {Post | Listen | Delete | Abort} Carried */

/**
 * Takes what came: `cause` is what failed, `call` that of the post whose
 * exchange it is. It never throws.
 *
 * @typedef {(event: Received, cause?: unknown, call?: number) => void} Receive
 */

/**
 * A session's hold on its transport.
 *
 * @typedef {object} Carrier
 * @property {(action: Carried) => void} perform
 *   starts an exchange, or ends one of which nothing more must be fed; it does not wait
 * @property {() => void} reset ends every exchange at once: the session that had them is gone
 * @property {() => Promise<void>} close lets DELETEs and processes come to an end, and ends the rest
 */

export {}
