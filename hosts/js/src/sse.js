import { createParser } from "eventsource-parser"

/**
 * A reader of server-sent events: feed it the stream's text as it comes. `id`
 * is there if the event has one of its own.
 *
 * @param {(type: string, data: string, id: string | undefined) => void} onEvent
 * @param {(ms: number) => void} [onRetry] gets the reconnection time that the server sets
 * @returns {(text: string) => void}
 */
export function eventStream(onEvent, onRetry) {
  const parser = createParser({ onRetry, onEvent: ({ event = "message", data, id }) => onEvent(event, data, id) })
  return (text) => parser.feed(text)
}
