import { createParser } from "eventsource-parser"

/**
 * A reader of server-sent events: feed it the stream's text as it comes.
 *
 * @param {(type: string, data: string) => void} onEvent
 * @returns {(text: string) => void}
 */
export function eventStream(onEvent) {
  const parser = createParser({ onEvent: ({ event = "message", data }) => onEvent(event, data) })
  return (text) => parser.feed(text)
}
