import { createParser } from "eventsource-parser"

/**
 * A reader of server-sent events: feed it the stream's text as it comes, and
 * tell it about the end of the stream, but not about a connection that broke.
 * `id` is there if the event has one of its own.
 *
 * @param {(type: string, data: string, id: string | undefined) => void} onEvent
 * @param {(ms: number) => void} [onRetry] gets the reconnection time that the server sets
 */
export function eventStream(onEvent, onRetry) {
  /** What the line at hand begins with, behind the end of the one before. */
  let line = ""
  const start = "\ndata:"
  let ending = false
  const parser = createParser({
    onRetry,
    onEvent({ event = "message", data, id }) {
      if (!ending || isJSON(data)) onEvent(event, data, id)
    },
  })
  return {
    /** @param {string} text */
    feed(text) {
      const at = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"))
      line = ((at < 0 ? line : "") + text.slice(Math.max(at, 0), Math.max(at, 0) + start.length)).slice(0, start.length)
      parser.feed(text)
    },

    // An event that the stream ends in should be discarded (WHATWG HTML,
    // Server-sent events). Here it counts if its data is whole: it may be the
    // result of a tool that has run.
    end() {
      if (line === "\r") parser.feed("\n") // the parser waits for it
      ending = true
      if (line.length === 1 || line.endsWith("data:")) parser.feed("\n\n")
    },
  }
}

/** Whether text is one JSON value. One that was cut between two lines is not. @param {string} text */
function isJSON(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
