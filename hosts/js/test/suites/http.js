import { call, Code, http, StatusError } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { done, failed, until } from "../peer.js"

/** @import { HttpOptions } from "../../dist/http.js" */
/** @import { Env } from "../suite.js" */

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
const request = { leg: 1, method: "tools/call", params: '{"name":"größe"}', capabilities: "{}" }

/** The fetch transport, against answers that are odd but allowed, and those that are not. @param {Env} env */
export default function transport({ test, load }) {
  /** @param {HttpOptions} options @param {(params: string) => void} [progress] */
  const send = async (options, progress = () => {}) => {
    const send = http(await load(), "http://localhost/mcp", options)
    return send(request, { signal: new AbortController().signal, progress })
  }

  test("http reads every form of answer", async () => {
    const note = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":1.0}}\n\n'
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}'
    const anonymous = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}'
    /** @type {Record<string, [status: number, type: string, body: BodyInit | null, want: string, notes?: number]>} */
    const tests = {
      json: [200, "application/json", answer, answer],
      "json with charset": [200, "application/json; charset=utf-8", answer, answer],
      "json, values as they came": [200, "application/json", answer.replace("{}", '{"n":1.0,"s":"\\ud800","t":"größe"}'), answer.replace("{}", '{"n":1.0,"s":"\\ud800","t":"größe"}')],
      stream: [200, "text/event-stream", `data: ${answer}\n\n`, answer],
      "stream with notifications": [200, "Text/Event-Stream; charset=utf-8", `${note}: comment\n\n${note}data: ${answer}\n\n`, answer, 2],
      "stream, two data lines": [200, "text/event-stream", 'data: {"jsonrpc":"2.0","id":1,\ndata: "result":{}}\r\n\r\n', '{"jsonrpc":"2.0","id":1,\n"result":{}}'],
      "stream, other event": [200, "text/event-stream", `event: ping\ndata: x\n\ndata: ${answer}\n\n`, answer],
      "stream, more after it": [200, "text/event-stream", `data: ${answer}\n\ndata: nonsense\n\n`, answer],
      "stream, byte by byte": [200, "text/event-stream", trickle(`${note}data: ${answer.replace("{}", '{"t":"größe"}')}\n\n`), answer.replace("{}", '{"t":"größe"}'), 1],
      "stream, the end without a blank line": [200, "text/event-stream", `${note}data: ${answer}\n`, answer, 1],
      "stream, the end in a carriage return": [200, "text/event-stream", trickle(`data: ${answer}\r\r`), answer],
      "stream, the end in a line": [200, "text/event-stream", `data: ${answer}`, "ended before the response"],
      "stream, broken after a line": [200, "text/event-stream", trickle(`data: ${answer}\n`, true), "connection reset"],
      "stream cut short": [200, "text/event-stream", note, "ended before the response", 1],
      "stream of nonsense": [200, "text/event-stream", "data: nonsense\n\n", "no JSON-RPC message"],
      "stream, other id": [200, "text/event-stream", `data: ${answer.replace("1", "2")}\n\n`, "ended before the response"],
      "stream too long": [200, "text/event-stream", `data: ${"x".repeat(5000)}\n\n`, "longer than 4096 bytes"],
      "error with 400": [400, "application/json", error, error],
      "error without id with 403": [403, "application/json", anonymous, anonymous],
      "301": [301, "text/plain", "", "give the new URL"],
      "401": [401, "text/plain", "no", "HTTP status 401"],
      "404 page": [404, "text/html", "<html>", "is this the server's MCP endpoint?"],
      "502 with a stream": [502, "text/event-stream", "data: x\n\n", "HTTP status 502"],
      "no body": [200, "application/json", null, "no JSON-RPC response"],
      nonsense: [200, "application/json", "nonsense", "no JSON-RPC response"],
      "not UTF-8": [200, "application/json", new Uint8Array([0x7b, 0xff, 0x7d]), "not UTF-8"],
      "other id": [200, "application/json", answer.replace("1", "9"), "not the response to this request"],
      "too long": [200, "application/json", " ".repeat(5000) + answer, "longer than 4096 bytes"],
    }
    for (const [name, [status, type, body, want, notes = 0]] of Object.entries(tests)) {
      let noted = 0
      const sent = () =>
        send({
          maxResponse: 4096,
          fetch: async () => new Response(body, { status, headers: { "Content-Type": type } }),
          onNotification: (method, params) => {
            noted++
            equal([method, params], ["notifications/message", '{"data":1.0}'], name)
          },
        })
      if (want.startsWith("{")) equal(await sent(), want, name)
      else contains(String(await thrown(sent, name)), want, name)
      equal(noted, notes, `${name}: notifications`)
    }
    ok((await thrown(() => send({ fetch: async () => new Response("", { status: 503 }) }), "503")) instanceof StatusError, "a StatusError")
  })

  test("http sends what the protocol asks for, each leg with an id of its own", async () => {
    /** @type {number[]} */
    const ids = []
    const send = http(await load(), new URL("http://localhost/mcp"), {
      clientInfo: { name: "host", version: "1" },
      fetch: async (url, { method, headers, body, redirect }) => {
        equal([url, method, redirect], ["http://localhost/mcp", "POST", "manual"])
        equal(headers, {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": "tools/call",
          "Mcp-Name": "=?base64?Z3LDtsOfZQ==?=",
        })
        const { id, params } = JSON.parse(String(body))
        equal([params.name, params._meta["io.modelcontextprotocol/clientInfo"].name, params._meta.progressToken], ["größe", "host", id])
        ids.push(id)
        return new Response(`{"jsonrpc":"2.0","id":${id},"result":{}}`)
      },
    })
    for (let leg = 1; leg <= 2; leg++) await send({ ...request, leg }, { signal: new AbortController().signal, progress: () => {} })
    ok(ids.length === 2 && ids[0] !== ids[1], "two ids that differ")
  })

  test("http gives progress of the request to its leg, and no other's", async () => {
    const token = (/** @type {string} */ value) => `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${value},"progress":1.0}}\n\n`
    /** @type {string[]} */
    const seen = []
    const body = token("1") + token('"1"') + token("2") + `data: ${answer}\n\n`
    await send({ fetch: async () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }) }, (params) => seen.push(params))
    equal(seen, ['{"progressToken":1,"progress":1.0}'])
  })

  test("http stops reading when the call is cancelled, and when it has the answer", async () => {
    const engine = await load()
    let [sent, cancelled] = [0, 0]
    const endless = (/** @type {string} */ text) => {
      sent++
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
          cancel: () => void cancelled++,
        }),
        { headers: { "Content-Type": "text/event-stream" } },
      )
    }
    const controller = new AbortController()
    const outcome = call(engine, "tools/call", "{}", { send: http(engine, "http://localhost/", { fetch: async () => endless(": open\n\n") }), signal: controller.signal })
    await until(() => sent, "the request")
    controller.abort()
    equal(failed(await outcome).code, Code.canceled)
    const result = await call(engine, "tools/call", "{}", { send: http(engine, "http://localhost/", { fetch: async () => endless(`data: ${answer.replace("{}", done)}\n\n`) }) })
    equal(result, { status: "done", result: done })
    await until(() => cancelled === 2, "the end of both streams")
    equal([cancelled, engine.live], [2, 0])
  })
}

/** @param {string} text @param {boolean} [breaks] the connection, in the end */
function trickle(text, breaks = false) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at))
      else if (breaks) controller.error(new Error("connection reset"))
      else controller.close()
    },
  })
}
