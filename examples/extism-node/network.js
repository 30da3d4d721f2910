// The way to one server over HTTP, of whichever era: what the plug-in's callbacks post and receive do. Each exchange is a
// fetch of its own; what comes of it waits for receive.
const methods = { post: "POST", listen: "GET", delete: "DELETE" }

/** @param {string} url */
export function network(url) {
  const events = [] // what has come
  let heard = () => {} // wakes receive
  const under = new Map() // how to give an exchange up

  const say = (event) => {
    events.push(event)
    heard()
  }

  /** Hands out what the plug-in made: a POST, a stream to listen to, the end of a session, or of an exchange. */
  async function post({ type, exchange, headers, body }) {
    if (type === "abort") {
      under.get(exchange)?.abort()
      return { type: "tick" }
    }
    const given = new AbortController()
    under.set(exchange, given)
    const answered = new Promise((answer) => {
      perform({ method: methods[type], headers, body, signal: given.signal, redirect: "manual" }, exchange, answer)
    })
    // What comes on a stream is lost before it is open.
    if (type === "listen") await Promise.race([answered, new Promise((late) => setTimeout(late, 500))])
    return { type: "tick" }
  }

  /** Waits for what comes next, until the time it is told. */
  async function receive({ until }) {
    if (events.length === 0) {
      let timer
      await new Promise((wake) => {
        heard = wake
        if (until !== undefined) timer = setTimeout(wake, until - Date.now())
      })
      clearTimeout(timer)
    }
    return events.shift() ?? { type: "tick" }
  }

  /** Makes a request and reports each message of the response, and its end. */
  async function perform(request, exchange, answered) {
    let about = { exchange }
    try {
      const response = await fetch(url, request)
      answered()
      about = { exchange, status: response.status, sessionId: response.headers.get("mcp-session-id") ?? undefined }
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
        if (request.method === "GET") say({ type: "opened", exchange })
        for await (const { data, ...of } of eventsOf(response.body)) {
          about = { ...about, ...of }
          if (data) say({ type: "message", body: data, ...about })
        }
        say({ type: "ended", ...about })
        return
      }
      const body = await response.text()
      say(body ? { type: "message", body, last: true, ...about } : { type: "ended", ...about })
    } catch (error) {
      answered()
      // A request whose connection was never made has certainly not arrived.
      const unsent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(error.cause?.code) && about.status === undefined
      say({ type: "ended", reason: error.message, unsent, ...about })
    }
  }

  return { post, receive }
}

/** Server-sent events: their data, id and how long to wait before coming back. */
async function* eventsOf(body) {
  const decoder = new TextDecoder()
  let text = ""
  let event = { data: "" }
  for await (const chunk of body) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n")
    text = lines.pop() // the last one is not over
    for (const line of lines.map((l) => l.replace(/\r$/, ""))) {
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)
      if (line === "") {
        yield event
        event = { data: "" }
      } else if (name === "data") event.data += (event.data && "\n") + value
      else if (name === "id") event.eventId = value
      else if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value)
    }
  }
}
