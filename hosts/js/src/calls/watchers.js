/** @import { Ask, Leg, Note, Pause } from "../engine/call.js" */
/** @import { Changed, Server, Subscribed } from "../engine/session.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** @typedef {(method: string, params: string | undefined) => void} OnNotification */

/**
 * Who is told about a call. What a watcher returns or throws changes nothing.
 *
 * @typedef {object} Watchers
 * @property {(note: Note) => void} [onNote] gets audit records, with Options.audit
 * @property {(leg: number, params: string) => void} [onProgress] gets the params of progress notifications
 * @property {(status: string, message: string | undefined) => void} [onTask]
 *   is told the status of the task that a tool call has become, in the words of the tasks extension; the
 *   message is the server's
 * @property {(question: Ask) => void} [onQuestion] is told that the call has a question: the object that the asker gets next
 * @property {(leg: Leg) => void} [onLeg] is told what goes out and what comes back
 * @property {(pause: Pause) => void} [onPause] is told when the next leg goes out at a time, and nothing happens before
 * @property {OnNotification} [onNotification] gets what else comes in the call's own responses, in place of the session's
 */

/**
 * Who is told about a session.
 *
 * @typedef {object} SessionWatchers
 * @property {(server: Server) => void} [onReady] is told which protocol version
 * is spoken, and what the server says about itself
 * @property {OnNotification} [onNotification] gets the server's notifications, but for progress
 * @property {(subscribed: Subscribed) => void} [onSubscribed] is told what of the last `subscribe` the server will tell of, or why nothing
 * @property {(changed: Changed) => void} [onChanged] is told what has changed of that or, after a while in which nothing was heard, may have;
 * onNotification is not
 * @property {(text: string, sentence: Sentence) => void} [onWarning] is told, for a log, what was left out or
 * ignored of what the server sent; the second is the same, to be translated
 */

/** Calls a watcher: if it fails, the call continues. @param {() => unknown} call */
export function observe(call) {
  try {
    const watching = call()
    if (watching) Promise.resolve(watching).catch(() => {})
  } catch {}
}
