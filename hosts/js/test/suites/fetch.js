import { Code, connect, fetchTransport, StatusError } from "../../dist/index.js"
import { contains, equal, ok } from "../assert.js"
import { deferred, done, failed, inEnglish, oneAsk, sleep, until } from "../peer.js"

/** @import { Carried, FetchOptions, Receive } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"n":1.0,"s":"\\ud800","t":"größe"}}'
const note = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
const stream = "text/event-stream"

/** The fetch transport of sessions, against answers that are odd but allowed, and those that are not. @param {Env} env */
export default function transport({ test, load }) {
  test("fetch tells what came of each exchange", async () => {
    const message = { type: "message", exchange: 1, body: answer }
    const ended = { type: "ended", exchange: 1 }
    /** @type {Record<string, [status: number, type: string, body: BodyInit | null, want: object[]]>} */
    const tests = {
      json: [200, "application/json", answer, [{ ...message, status: 200, last: true }]],
      "another type": [200, "text/html", "<html>", [{ ...message, body: "<html>", status: 200, last: true }]],
      "an error with a body": [400, "application/json", answer, [{ ...message, status: 400, last: true }]],
      "an error without": [404, "text/plain", "", [{ ...ended, status: 404 }]],
      accepted: [202, "text/plain", null, [{ ...ended, status: 202 }]],
      "an error with a stream": [502, stream, "data: x\n\n", [{ ...message, body: "data: x\n\n", status: 502, last: true }]],
      redirect: [307, "text/plain", "", [{ ...ended, status: 307 }]],
      stream: [200, `${stream}; charset=utf-8`, `: hello\n\ndata: ${note}\n\nevent: ping\ndata: x\n\ndata: ${answer}\n\n`, [{ ...message, body: note }, message, { ...ended, status: 200 }]],
      "stream, byte by byte": [200, stream, trickle(`data: ${answer}\r\n\r\n`), [message, { ...ended, status: 200 }]],
      "stream with ids": [
        200,
        stream,
        `retry: 50\nid: a\ndata:\n\nid: b\ndata: ${answer}\n\ndata: ${note}\n\nid: c\ndata: \n\n`,
        [{ ...message, eventId: "b", retry: 50 }, { ...message, body: note, eventId: "b", retry: 50 }, { ...ended, status: 200, eventId: "c", retry: 50 }],
      ],
      "stream, the end without a blank line": [200, stream, `data: ${note}\n\nid: a\ndata: ${answer}\n`, [{ ...message, body: note }, { ...message, eventId: "a" }, { ...ended, status: 200, eventId: "a" }]],
      "stream, the end in carriage returns": [200, stream, trickle(`data: ${answer}\r\r`), [message, { ...ended, status: 200 }]],
      "stream, the end in a line": [200, stream, trickle(`id: a\ndata: ${note}\n\nid: b\ndata: ${answer}`), [{ ...message, body: note, eventId: "a" }, { ...message, eventId: "b" }, { ...ended, status: 200, eventId: "b" }]],
      "stream, the end in a line that is cut": [200, stream, trickle(`id: a\ndata: ${note}\n\nid: b\ndata: ${answer.slice(0, -1)}`), [{ ...message, body: note, eventId: "a" }, { ...ended, status: 200, eventId: "a" }]],
      "stream that is JSON": [200, stream, trickle(`[${answer}\n]\n`), [{ ...message, body: `[${answer}\n]\n`, status: 200, last: true }]],
      "stream, the end between two lines": [200, stream, `id: a\ndata: ${note}\n\nid: b\ndata: {"jsonrpc":"2.0",\n`, [{ ...message, body: note, eventId: "a" }, { ...ended, status: 200, eventId: "a" }]],
      "stream, the end in an id": [200, stream, `id: a\ndata: ${note}\n\nid: b\n`, [{ ...message, body: note, eventId: "a" }, { ...ended, status: 200, eventId: "a" }]],
      "stream, broken after a line": [200, stream, trickle(`data: ${note}\n\ndata: ${answer}\n`, 50, true), [{ ...message, body: note }, { ...ended, status: 200, reason: "the connection broke before the answer was whole" }]],
      "stream, not UTF-8": [200, stream, trickle(new Uint8Array([...new TextEncoder().encode(`id: a\ndata: ${note}\n\n`), 0xff])), [{ ...message, body: note, eventId: "a" }, { ...ended, status: 200, eventId: "a", reason: "the response is not UTF-8" }]],
      "not UTF-8, which is the engine's to judge": [200, "application/json", new Uint8Array([0x7b, 0xff, 0x7d]), [{ ...message, body: [0x7b, 0xff, 0x7d], status: 200, last: true }]],
      "too long": [200, "application/json", " ".repeat(5000) + answer, [{ ...ended, status: 200, reason: "the response is longer than 4 KiB (maxResponse)" }]],
      "stream, an event too long": [200, stream, `data: ${"x".repeat(5000)}\n\n`, [{ ...ended, status: 200, reason: "the response is longer than 4 KiB (maxResponse)" }]],
      "stream, long but of short events": [200, stream, trickle(`data: ${answer}\n\n`.repeat(100), 50), [...Array(100).fill(message), { ...ended, status: 200 }]],
    }
    for (const [name, [status, type, body, want]] of Object.entries(tests)) {
      const { events, causes } = await perform({ maxResponse: 4096, fetch: async () => new Response(body, { status, headers: { "Content-Type": type } }) })
      equal(events, want, name)
      ok(status < 300 || causes[0] instanceof StatusError, `${name}: the cause`)
    }
    const { events } = await perform({ fetch: async () => new Response(answer, { headers: { "Mcp-Session-Id": "abc" } }) })
    equal(events, [{ ...message, status: 200, sessionId: "abc", last: true }])
  })

  test("fetch tells what certainly was not sent from what may have been", async () => {
    const down = new Error("network down")
    /** What Node says. @param {object} cause */
    const node = (cause) => new TypeError("fetch failed", { cause: Object.assign(new Error(), cause) })
    // A browser tells a page nothing of servers elsewhere.
    const unknown = "location" in globalThis
      ? "the browser does not say why: is the server running, and does it let pages from here call it (CORS)?"
      : "the connection to the server was lost"
    /** @type {Record<string, [error: unknown, want: {reason: string, unsent?: true}]>} */
    const tests = {
      "a failure": [down, { reason: "the connection to the server was lost" }],
      "a failure that says so": [Object.assign(new Error(), { unsent: true }), { reason: "the request was not sent", unsent: true }],
      "a failure that says why": [new Error("outer", { cause: Object.assign(new Error("parley: nobody signed in"), { unsent: true }) }), { reason: "nobody signed in", unsent: true }],
      "a refused connection": [node({ code: "ECONNREFUSED", syscall: "connect" }), { reason: "the connection to the server was refused: is it running there?", unsent: true }],
      "one at two addresses": [
        node({ code: "ECONNREFUSED", errors: [1, 2].map(() => Object.assign(new Error(), { code: "ECONNREFUSED", syscall: "connect" })) }),
        { reason: "the connection to the server was refused: is it running there?", unsent: true },
      ],
      "one of which nothing is known": [node({ errors: [] }), { reason: unknown }],
      "no connection in time": [node({ code: "UND_ERR_CONNECT_TIMEOUT" }), { reason: "connecting to the server takes too long", unsent: true }],
      "no way": [node({ code: "EHOSTUNREACH", syscall: "connect" }), { reason: "no connection to the server can be made: EHOSTUNREACH", unsent: true }],
      "a proxy that refuses": [
        node({ code: "UND_ERR_ABORTED", message: "Proxy response (407) !== 200 when HTTP Tunneling" }),
        { reason: "no connection to the server can be made by the proxy: 407", unsent: true },
      ],
      "a port that is not for this": [node({ message: "bad port" }), { reason: "no request goes to this port of the server", unsent: true }],
      "an alert of a handshake": [node({ code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" }), { reason: "no secure connection to the server can be made: ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", unsent: true }],
      "an alert that may come later": [node({ code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }), { reason: "the connection to the server was lost: ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }],
      "a certificate that was revoked": [node({ code: "CERT_REVOKED" }), { reason: "the certificate of the server is not valid: CERT_REVOKED", unsent: true }],
      "no answer in time": [node({ code: "UND_ERR_HEADERS_TIMEOUT" }), { reason: "the server did not answer in time" }],
      "a time that was set": [new DOMException("", "TimeoutError"), { reason: "the server did not answer in time" }],
    }
    for (const [name, [error, want]] of Object.entries(tests)) {
      for (const fetch of [() => Promise.reject(error), () => { throw error }]) {
        const { events, causes } = await perform({ fetch })
        equal(events, [{ type: "ended", exchange: 1, ...want }], name)
        ok(causes[0] === error, `${name}: the cause`)
      }
    }

    let called = 0
    const fetch = async () => (called++, new Response(answer))
    for (const url of ["http://", "ftp://localhost/", "http://localhost:99999/", "http://somebody:secret@localhost/"]) {
      const { events } = await perform({ fetch }, undefined, url)
      const [{ unsent, reason }] = /** @type {any[]} */ (events)
      ok(unsent && reason.startsWith("the server's URL cannot be used: it must ") && !reason.includes("secret"), url)
    }
    equal(called, 0, "what no request can be sent to")
    await perform({ fetch }, undefined, "/mcp")
    equal(called, 1, "a fetch may know what a URL is relative to")
  })

  test("fetch sends posts, streams and deletes as it is told", async () => {
    /** @type {unknown[]} */
    const sent = []
    const fetch = async (/** @type {string} */ url, /** @type {RequestInit} */ { method, headers, body, redirect }) => {
      sent.push([url, method, headers, body, redirect])
      return new Response(null, { status: 202 })
    }
    /** @type {[string, string][]} */
    const headers = [["Accept", "text/event-stream"], ["Mcp-Name", "=?base64?Z3LDtsOfZQ==?="]]
    const begun = Date.now() // in whole milliseconds, which timers are not
    await perform({ fetch }, { type: "post", exchange: 1, headers, body: "{}" })
    await perform({ fetch }, { type: "listen", exchange: 1, headers, at: begun + 30 })
    ok(Date.now() - begun >= 28, "the stream was not opened before its time")
    await perform({ fetch }, { type: "delete", exchange: 1, headers })
    const url = "http://localhost/mcp"
    const fields = Object.fromEntries(headers)
    equal(sent, [[url, "POST", fields, "{}", "manual"], [url, "GET", fields, undefined, "manual"], [url, "DELETE", fields, undefined, "manual"]])
  })

  test("fetch tells that the server's own stream is open, before anything comes", async () => {
    /** @type {[type: "listen" | "post", response: () => Response, want: string[]][]} */
    const tests = [
      ["listen", () => new Response(`data: ${note}\n\n`, { headers: { "Content-Type": stream } }), ["opened", "message", "ended"]],
      ["listen", () => new Response(null, { status: 405 }), ["ended"]],
      ["listen", () => new Response("<html>", { headers: { "Content-Type": "text/html" } }), ["message"]],
      ["post", () => new Response(`data: ${note}\n\n`, { headers: { "Content-Type": stream } }), ["message", "ended"]],
    ]
    for (const [type, response, want] of tests) {
      const { events } = await perform({ fetch: async () => response() }, { type, exchange: 1, headers: [], body: "{}" })
      equal(events.map((event) => Object(event).type), want, type)
    }
  })

  test("fetch feeds nothing of what was aborted, and stops reading it", async () => {
    let cancelled = 0
    /** @type {AbortSignal[]} */
    const signals = []
    const endless = async (/** @type {string} */ _, /** @type {RequestInit} */ { signal }) => {
      if (signal) signals.push(signal)
      const start = (/** @type {ReadableStreamDefaultController} */ controller) => controller.enqueue(new TextEncoder().encode(`data: ${note}\n\n`))
      return new Response(new ReadableStream({ start, cancel: () => void cancelled++ }), { headers: { "Content-Type": stream } })
    }
    /** @type {unknown[]} */
    const events = []
    const carrier = fetchTransport("http://localhost/", { fetch: endless }).open((event) => void events.push(event.type))
    for (let exchange = 1; exchange <= 4; exchange++) carrier.perform({ type: "post", exchange, headers: [], body: "{}" })
    carrier.perform({ type: "listen", exchange: 5, headers: [], at: Date.now() + 600_000 })
    await until(() => events.length === 4, "a message of each")
    carrier.perform({ type: "abort", exchange: 1 })
    carrier.perform({ type: "abort", exchange: 5 })
    carrier.perform({ type: "abort", exchange: 9 })
    await until(() => cancelled, "the end of one")
    equal([cancelled, signals.map(({ aborted }) => aborted)], [1, [true, false, false, false]])
    carrier.reset()
    await until(() => cancelled === 4, "the end of all")
    equal([cancelled, events], [4, ["message", "message", "message", "message", "ended"]], "of what was not begun it is said")
    await carrier.close()

    const [fetching, late] = [deferred(), deferred()]
    const slow = fetchTransport("http://localhost/", { fetch: async (url, init) => (fetching.resolve(), await late.promise, endless(url, init)) }).open((event) => void events.push(event.type))
    slow.perform({ type: "post", exchange: 1, headers: [], body: "{}" })
    await fetching.promise
    slow.perform({ type: "abort", exchange: 1 })
    late.resolve()
    await until(() => cancelled === 5, "the end of what came late")
    equal([cancelled, events.length], [5, 5], "a fetch that does not mind its signal")
  })

  test("the server's session of an earlier era is deleted when the engine's instance is gone", async () => {
    /** @type {unknown[]} */
    const log = []
    const fetch = async (/** @type {string} */ _, /** @type {RequestInit} */ { method, headers }) => {
      log.push([method, headers])
      return new Response(null, { status: 202 })
    }
    const carrier = fetchTransport("http://localhost/", { fetch }).open((event) => void log.push(event.type))
    const headers = /** @type {[string, string][]} */ ([["MCP-Protocol-Version", "2025-11-25"], ["Mcp-Session-Id", "s-1"], ["Accept", "application/json"]])
    const ended = { "MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "s-1" }
    carrier.perform({ type: "post", exchange: 1, headers, body: "{}" })
    await until(() => log.length === 2, "the answer")
    carrier.reset()
    await until(() => log.length === 3, "the DELETE")
    equal(log.splice(0).slice(2), [["DELETE", ended]], "of which nothing is fed")
    carrier.reset()
    await carrier.close()
    equal(log, [], "it is deleted once")

    const closing = fetchTransport("http://localhost/", { fetch }).open(() => {})
    closing.perform({ type: "post", exchange: 1, headers, body: "{}" })
    closing.perform({ type: "delete", exchange: 2, headers: headers.slice(0, 2) })
    await closing.close()
    equal(log.map((entry) => Object(entry)[0]), ["POST", "DELETE"], "the session's own is enough")
  })

  test("a call that is canceled before its request is sent is not in doubt", async () => {
    const engine = await load()
    const [asked, answer] = [deferred(), deferred()]
    let sent = 0
    const session = connect(engine, fetchTransport("http://localhost/mcp", {
      authorization: async () => (asked.resolve(), void (await answer.promise)),
      fetch: async () => (sent++, new Promise(() => {})),
    }))
    const controller = new AbortController()
    const call = session.call({ method: "tools/call", signal: controller.signal })
    await asked.promise
    controller.abort()
    const { code, inDoubt, resumable } = failed(await call)
    answer.resolve()
    equal([code, inDoubt, resumable, sent], [Code.canceled, undefined, true, 0])
    await session.close()
    equal([sent, engine.live], [0, 0])
  })

  test("fetch says what it has not begun, and sends nothing of it", async () => {
    /** @type {unknown[]} */
    const log = []
    const asked = deferred()
    const fetch = async () => {
      log.push("fetch")
      return new Response(null, { status: 202 })
    }
    const carrier = fetchTransport("http://localhost/", { fetch, authorization: async () => void (await asked.promise) }).open((event) => void log.push(event))
    carrier.perform({ type: "post", exchange: 1, call: 1, leg: 1, headers: [], body: "{}" })
    carrier.perform({ type: "abort", exchange: 1 })
    equal(log, [{ type: "ended", exchange: 1, unsent: true }])
    asked.resolve()
    await carrier.close()
    equal(log.length, 1)
  })

  test("closing waits for what the server is told last, in turn, and for nothing else", async () => {
    /** @type {string[]} */
    const log = []
    /** @type {Record<string, ReturnType<typeof deferred>>} */
    const answers = { cancel: deferred(), DELETE: deferred() }
    const fetch = async (/** @type {string} */ _, /** @type {RequestInit} */ { method = "", body, signal }) => {
      const name = String(body ?? method)
      log.push(name)
      const aborted = new Promise((_, reject) => signal?.addEventListener("abort", () => (log.push(`${name} aborted`), reject(signal.reason))))
      await Promise.race([answers[name]?.promise ?? aborted, aborted])
      log.push(`${name} answered`)
      return new Response(null, { status: 202 })
    }
    const carrier = fetchTransport("http://localhost/", { fetch }).open(() => {})
    carrier.perform({ type: "listen", exchange: 1, headers: [] })
    carrier.perform({ type: "post", exchange: 2, call: 1, leg: 1, headers: [], body: "call" })
    carrier.perform({ type: "post", exchange: 3, headers: [], body: "cancel" })
    carrier.perform({ type: "delete", exchange: 4, headers: [] })
    await until(() => log.length === 3, "the requests")
    const closed = carrier.close().then(() => log.push("closed"))
    answers.cancel?.resolve()
    await until(() => log.includes("DELETE"), "the DELETE")
    answers.DELETE?.resolve()
    await closed
    equal(log, ["GET", "call", "cancel", "GET aborted", "call aborted", "cancel answered", "DELETE", "DELETE answered", "closed"])
  })

  test("a session over fetch", async () => {
    const engine = await load()
    const fetch = async (/** @type {string} */ _, /** @type {RequestInit} */ { body }) => {
      const { id, params } = JSON.parse(String(body))
      const response = `{"jsonrpc":"2.0","id":${id},"result":${params.inputResponses ? done : oneAsk}}`
      return params.stream ? new Response(`data: ${response}\n\n`, { headers: { "Content-Type": stream } }) : new Response(response)
    }
    const session = connect(engine, fetchTransport("http://localhost/mcp", { fetch }), { askers: { elicit: () => ({ action: "decline" }) } })
    for (const form of [false, true]) equal(await session.call({ method: "tools/call", params: { stream: form } }), { status: "done", result: done, noStore: true })
    await session.close()

    const locked = connect(engine, fetchTransport("http://localhost/mcp", { fetch: async () => new Response("", { status: 401 }) }))
    const outcome = failed(await locked.call({ method: "tools/call" }))
    contains(outcome.cause, "sign in with askers.authorize")
    await locked.close()
    equal(engine.live, 0, "live")
  })
}

/**
 * Performs one action and returns what came of it, once the exchange is over.
 *
 * @param {FetchOptions} options @param {Carried} [action] @param {string} [url]
 */
async function perform(options, action = { type: "post", exchange: 1, headers: [], body: "{}" }, url = "http://localhost/mcp") {
  /** @type {object[]} */
  const events = []
  /** @type {unknown[]} */
  const causes = []
  await new Promise((resolve) => {
    /** @type {Receive} */
    const receive = (event, cause) => {
      events.push(inEnglish("body" in event ? { ...event, body: shown(event.body) } : event))
      causes.push(cause)
      if (event.type === "ended" || (event.type === "message" && event.last)) resolve(undefined)
    }
    fetchTransport(url, options).open(receive).perform(action)
  })
  return { events, causes }
}

/** Text, which may come as UTF-8, or bytes that are none. @param {string | Uint8Array} body */
function shown(body) {
  try {
    return typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return [...body]
  }
}

/** @param {string | Uint8Array} body @param {number} [size] @param {boolean} [breaks] the connection, in the end */
function trickle(body, size = 1, breaks = false) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += size)))
      else if (breaks) controller.error(new Error("connection reset"))
      else controller.close()
    },
  })
}
