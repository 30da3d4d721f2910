import { Code, connect, fetchTransport, StatusError } from "../../dist/index.js"
import { contains, equal, ok } from "../assert.js"
import { done, failed, until } from "../peer.js"

/** @import { FetchOptions, HostSide } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const result = '{"content":[],"n":1.0,"s":"\\ud800","t":"größe"}'
const answer = `{"jsonrpc":"2.0","id":1,"result":${result}}`
const json = "application/json"
const stream = "text/event-stream"

/** Calls by fetch, against answers that are odd but allowed, and those that are not. @param {Env} env */
export default function transport({ test, load }) {
  /** @type {ReturnType<typeof load> | undefined} */
  let loading

  /** Makes one call, whose request has the id 1. @param {FetchOptions} options @param {HostSide} [running] */
  const call = async (options, running) => {
    const engine = await (loading ??= load())
    const session = connect(engine, fetchTransport("http://localhost/mcp", options), { clientInfo: { name: "host", version: "1" }, versions: ["2026-07-28"], firstId: 1 })
    const outcome = await session.call({ method: "tools/call", params: '{"name":"größe"}', ...running })
    await session.close()
    equal(engine.live, 0, "live")
    return outcome
  }

  test("every form of answer by HTTP is read", async () => {
    const note = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":1.0}}\n\n'
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}'
    const anonymous = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}'
    const doubt = Code.inDoubt
    /** A code, where no result is wanted, and words of the detail or the cause. @type {Record<string, [status: number, type: string, body: BodyInit | null, want: string | [code: number, words: string], notes?: number]>} */
    const tests = {
      json: [200, json, answer, result],
      "json with charset": [200, `${json}; charset=utf-8`, answer, result],
      stream: [200, stream, `data: ${answer}\n\n`, result],
      "stream with notifications": [200, "Text/Event-Stream; charset=utf-8", `${note}: comment\n\n${note}data: ${answer}\n\n`, result, 2],
      "stream, two data lines": [200, stream, `data: {"jsonrpc":"2.0","id":1,\ndata: "result":${result}}\r\n\r\n`, result],
      "stream, other event": [200, stream, `event: ping\ndata: x\n\ndata: ${answer}\n\n`, result],
      "stream, more after it": [200, stream, `data: ${answer}\n\ndata: nonsense\n\n`, result],
      "stream, nonsense before it": [200, stream, `data: nonsense\n\ndata: ${answer}\n\n`, result],
      "stream, byte by byte": [200, stream, trickle(`${note}data: ${answer}\n\n`), result, 1],
      "stream, the end without a blank line": [200, stream, `${note}data: ${answer}\n`, result, 1],
      "stream, the end in a carriage return": [200, stream, trickle(`data: ${answer}\r\r`), result],
      "stream, the end in a line": [200, stream, trickle(`${note}data: ${answer}`), result, 1],
      "stream, the end in a line that is cut": [200, stream, `data: ${answer.slice(0, -1)}`, [doubt, "ended without an answer"]],
      "stream, the end in another line": [200, stream, `data: ${answer}\nid: 1`, [doubt, "ended without an answer"]],
      "stream that is JSON": [200, stream, trickle(answer), result],
      "stream that is a batch": [200, stream, `[${answer}]`, result],
      "JSON that is a stream": [200, json, `data: ${answer}\n\n`, result],
      "byte order mark": [200, json, `\ufeff${answer}`, result],
      "stream, broken after a line": [200, stream, trickle(`data: ${answer}\n`, true), [doubt, "connection reset"]],
      "stream cut short": [200, stream, note, [doubt, "ended without an answer"], 1],
      "stream of nonsense": [200, stream, "data: nonsense\n\n", [doubt, "ended without an answer"]],
      "stream, other id": [200, stream, `data: ${answer.replace("1", "2")}\n\n`, [doubt, "ended without an answer"]],
      "stream too long": [200, stream, `data: ${"x".repeat(5000)}\n\n`, [doubt, "longer than 4 KiB (maxResponse)"]],
      "error with 400": [400, json, error, [Code.rpc, '"code":-32602']],
      "error without id with 403": [403, json, anonymous, [Code.lost, "the server says “x”"]],
      "301": [301, "text/plain", "", [Code.lost, "give its new URL"]],
      "401": [401, "text/plain", "no", [Code.unauthorized, "HTTP status 401"]],
      "404 page": [404, "text/html", "<html>", [Code.lost, "is this the server's MCP endpoint?"]],
      "502 with a stream": [502, stream, "data: x\n\n", [doubt, "HTTP status 502"]],
      "no body": [200, json, null, [doubt, "without an answer"]],
      nonsense: [200, json, "nonsense", [doubt, "no JSON-RPC message"]],
      "not UTF-8": [200, json, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), [doubt, "not UTF-8"]],
      "other id": [200, json, answer.replace("1", "9"), [doubt, "without an answer"]],
      "too long": [200, json, " ".repeat(5000) + answer, [doubt, "longer than 4 KiB (maxResponse)"]],
    }
    for (const [name, [status, type, body, want, notes = 0]] of Object.entries(tests)) {
      let noted = 0
      const outcome = await call(
        { maxResponse: 4096, fetch: async () => new Response(body, { status, headers: { "Content-Type": type } }) },
        {
          watchers: {
            onNotification(method, params) {
              noted++
              equal([method, params], ["notifications/message", '{"data":1.0}'], name)
            },
          },
        },
      )
      if (typeof want === "string") {
        equal(outcome, { status: "done", result: want }, name)
      } else {
        const { code, detail, response, cause } = failed(outcome)
        equal(code, want[0], name)
        contains(`${detail} ${response} ${cause}`, want[1], name)
        ok(status < 300 || response || cause instanceof StatusError, `${name}: a StatusError`)
      }
      equal(noted, notes, `${name}: notifications`)
    }
  })

  test("a call by HTTP sends what the protocol asks for", async () => {
    let sent = 0
    const outcome = await call({
      fetch: async (url, { method, headers, body, redirect }) => {
        equal([url, method, redirect, ++sent], ["http://localhost/mcp", "POST", "manual", 1])
        equal(headers, {
          "Content-Type": json,
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": "tools/call",
          "Mcp-Name": "=?base64?Z3LDtsOfZQ==?=",
        })
        const { id, params } = JSON.parse(String(body))
        equal([id, params.name, params._meta["io.modelcontextprotocol/clientInfo"].name, params._meta.progressToken], [1, "größe", "host", 1])
        return new Response(answer)
      },
    })
    equal(outcome, { status: "done", result })
  })

  test("progress of the request is its leg's, and no other's", async () => {
    const token = (/** @type {string} */ value) => `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${value},"progress":1.0}}\n\n`
    /** @type {string[]} */
    const seen = []
    const body = token("1") + token('"1"') + token('"1x"') + token("2") + `data: ${answer}\n\n`
    await call({ fetch: async () => new Response(body, { headers: { "Content-Type": stream } }) }, { watchers: { onProgress: (_, params) => seen.push(params) } })
    equal(seen, ['{"progressToken":1,"progress":1.0}', '{"progressToken":"1","progress":1.0}']) // the same token, spelled as text
  })

  test("a response is not read on when the call is cancelled, nor when it has its answer", async () => {
    let [sent, cancelled] = [0, 0]
    const endless = (/** @type {string} */ text) => async () => {
      sent++
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
          cancel: () => void cancelled++,
        }),
        { headers: { "Content-Type": stream } },
      )
    }
    const controller = new AbortController()
    const outcome = call({ fetch: endless(": open\n\n") }, { signal: controller.signal })
    await until(() => sent, "the request")
    controller.abort()
    equal(failed(await outcome).code, Code.canceled)
    equal(await call({ fetch: endless(`data: ${answer.replace(result, done)}\n\n`) }), { status: "done", result: done })
    await until(() => cancelled === 2, "the end of both streams")
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
