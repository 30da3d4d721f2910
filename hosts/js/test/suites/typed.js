import { Code, connect, Failure, PARK, requests } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { oneAsk, response, script } from "../peer.js"

/** @import { ConnectOptions, Outbound, Send, Session } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const notFound = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'

/** Calls whose results are read, and lists that are gone through. @param {Env} env */
export default function typed({ test, load }) {
  /** @type {ReturnType<typeof load> | undefined} */
  let loading

  /** Does something in a session whose server answers so. @param {Send} send @param {(session: Session) => Promise<unknown>} run @param {ConnectOptions} [options] */
  const within = async (send, run, options) => {
    const engine = await (loading ??= load())
    const session = connect(engine, requests(send), options)
    await run(session)
    await session.close()
    equal(engine.live, 0, "live")
  }

  test("results have the schema's fields, and the text beside them", async () => {
    /** @type {Record<string, string>} */
    const results = {
      "tools/call": '{"resultType":"complete", "content":[{"type":"text","text":"hello"},{"type":"image","data":"AA==","mimeType":"image/png"}],"structuredContent":{"n":1.0},"_meta":{"org/x":1}}',
      "prompts/get": '{"resultType":"complete","description":"d","messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}',
      "resources/read": '{"resultType":"complete","contents":[{"uri":"file:///a","text":"hello"},{"uri":"file:///b","blob":"AA=="}]}',
    }
    /** @type {string[]} */
    const sent = []
    const send = (/** @type {Outbound} */ { method, params }) => (sent.push(params), response(results[method] ?? ""))
    await within(send, async (session) => {
      const { content, structuredContent, isError, _meta, raw } = await session.callTool({ name: "t", arguments: { a: 1 } })
      equal([content.map(({ text }) => text), structuredContent, isError, _meta, raw], [["hello", undefined], { n: 1 }, undefined, { "org/x": 1 }, results["tools/call"]])
      const prompt = await session.getPrompt({ name: "p", arguments: '{"n":1.0}' })
      equal([prompt.description, prompt.messages.map(({ content }) => content.text), prompt.raw], ["d", ["hello"], results["prompts/get"]])
      const resource = await session.readResource({ uri: "file:///a" })
      equal([resource.contents.map(({ text, blob }) => text ?? blob), resource.raw], [["hello", "AA=="], results["resources/read"]])
      ok(!("resultType" in resource), "resultType is the protocol's")
      await session.callTool({ name: 'a "tool"' })
    })
    equal(sent, ['{"name":"t","arguments":{"a":1}}', '{"name":"p","arguments":{"n":1.0}}', '{"uri":"file:///a"}', '{"name":"a \\"tool\\""}'])
  })

  test("a task is asked for beside the arguments", async () => {
    /** @type {string[]} */
    const sent = []
    const send = (/** @type {Outbound} */ { params }) => (sent.push(params), response('{"resultType":"complete","content":[]}'))
    await within(send, async (session) => {
      await session.callTool({ name: "t", task: {} })
      await session.callTool({ name: "t", arguments: { a: 1 }, task: { ttl: 90_000 } })
    })
    equal(sent, ['{"name":"t","task":{}}', '{"name":"t","arguments":{"a":1},"task":{"ttl":90000}}'])
  })

  test("an argument that somebody types can be completed", async () => {
    /** @type {string[]} */
    const sent = []
    const results = ['{"completion":{"values":["python","pytorch"],"total":10,"hasMore":true}}', `{"completion":{"values":[${Array(101).fill('"v"').join()}]}}`, '{"completion":{"values":"none"}}']
    const send = (/** @type {Outbound} */ { params }) => (sent.push(params), response(results[sent.length - 1] ?? ""))
    await within(send, async (session) => {
      equal(await session.complete({ prompt: "p", argument: "lang", value: "py" }), { values: ["python", "pytorch"], hasMore: true })
      const { values, hasMore } = await session.complete({ template: "file:///{a}/{b}", argument: "b", value: "", context: { a: "x" } })
      equal([values.length, hasMore], [100, true])
      const failure = await thrown(() => session.complete({ prompt: "p", argument: "a", value: "" }), "odd values")
      ok(failure instanceof Failure && failure.code === Code.malformed, "odd values")
      ok((await thrown(() => session.complete({ prompt: "p", template: "t", argument: "a", value: "" }), "both named")) instanceof TypeError, "both named")
    })
    equal(sent.slice(0, 2), [
      '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"lang","value":"py"}}',
      '{"ref":{"type":"ref/resource","uri":"file:///{a}/{b}"},"argument":{"name":"b","value":""},"context":{"arguments":{"a":"x"}}}',
    ])
    equal(sent.length, 3)
    let asked = 0
    await within(
      () => (asked++, notFound),
      async (session) => {
        for (const value of ["", "b"]) equal(await session.complete({ prompt: "p", argument: "a", value }), { values: [], hasMore: false })
      },
    )
    equal(asked, 1)
  })

  test("a tool that failed has a result, and one of before 2025-06-18 may have no content", async () => {
    await within(script('{"content":[{"type":"text","text":"no such city"}],"isError":true}', '{"structuredContent":7}'), async (session) => {
      const { content, isError } = await session.callTool({ name: "t" })
      equal([content[0]?.text, isError], ["no such city", true])
    })
    await within(script('{"structuredContent":7}'), async (session) => {
      const { content, structuredContent } = await session.callTool({ name: "t" })
      equal([content, structuredContent], [[], 7])
    })
  })

  test("a typed call that is parked says so, and goes on by its snapshot", async () => {
    const result = '{"content":[{"type":"text","text":"done"}]}'
    await within(script(oneAsk, result), async (session) => {
      const failure = await thrown(() => session.callTool({ name: "t", askers: { elicit: () => PARK } }), "a call that is parked")
      ok(failure instanceof Failure && failure instanceof Error, "a Failure")
      equal([failure.status, failure.code, failure.resumable, failure.inDoubt, failure.response], ["parked", undefined, true, false, undefined])
      contains(failure.message, "parley: the call is parked")
      ok(!`${failure.message}${JSON.stringify({ ...failure })}`.includes("secret"), "no state in what a log gets")
      const outcome = await session.resume({ snapshot: failure.snapshot, askers: { elicit: () => ({ action: "decline" }) } })
      equal(outcome, { status: "done", result, noStore: true })
    })
  })

  test("a typed call that fails rejects with its outcome and the server's words", async () => {
    const words = `No such tool \\u001b[31m ${"x".repeat(1000)}`
    await within(() => `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"${words}"}}`, async (session) => {
      const failure = await thrown(() => session.callTool({ name: "t" }), "a tool that is not there")
      equal([failure.status, failure.code, failure.resumable, JSON.parse(failure.response).code, failure.cause], ["failed", Code.rpc, true, -32602, undefined])
      contains(failure.message, 'parley: JSON-RPC error -32602: the server says “No such tool \\u{1b}[31m xxx')
      ok(failure.message.length < 500, "long texts are cut")
    })
    const down = new Error("down")
    await within(() => Promise.reject(down), async (session) => {
      const failure = await thrown(() => session.callTool({ name: "t" }), "a server that is gone")
      equal([failure.code, failure.inDoubt, failure.cause === down, typeof failure.snapshot], [Code.inDoubt, true, true, "string"])
    })
  })

  test("a result that is not of its method's shape is kept as text", async () => {
    /** @type {[method: string, raw: string, words: string][]} */
    const tests = [
      ["tools/call", '{"content":{}}', "the result has no list of content"],
      ["tools/call", '{"content":[1]}', "content[0] is not an object"],
      ["tools/call", '{"content":[{"type":"text","text":"x"},{"text":"x"}]}', "content[1].type is not a string"],
      ["tools/call", '{"content":[],"isError":"yes"}', "isError is not a boolean"],
      ["prompts/get", '{"messages":[{"role":"user"}]}', "messages[0].content is not an object"],
      ["prompts/get", '{"messages":[{"content":{"type":"text"}}]}', "messages[0].role is not a string"],
      ["resources/read", '{"contents":[{"text":"x"}]}', "contents[0].uri is not a string"],
    ]
    for (const [method, raw, words] of tests) {
      await within(script(raw), async (session) => {
        const run = () => (method === "tools/call" ? session.callTool({ name: "t" }) : method === "prompts/get" ? session.getPrompt({ name: "p" }) : session.readResource({ uri: "u" }))
        const failure = await thrown(run, raw)
        equal([failure.code, failure.resumable, failure.raw, failure.detail], [Code.malformed, false, raw, `${method}: ${words}${method === "tools/call" ? ", though the tool has run" : ""}`])
      })
    }
  })

  test("what else is not of its type is left out or empty, and stays in the text", async () => {
    const blocks = ['{"type":"text","text":"a","_meta":7}', '{"type":"image","data":"AA==","mimeType":7}', '{"type":"resource","resource":{"uri":7,"text":"a"}}', '{"type":"resource_link","uri":"u","size":"x"}', '{"type":"constructor","text":"x"}', '{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":"1","audience":["user",7]}}']
    const result = `{"content":[${blocks}],"_meta":[],"structuredContent":null,"isError":null}`
    await within(script(result), async (session) => {
      const read = await session.callTool({ name: "t" })
      equal(read, {
        content: [
          { type: "text", text: "a" },
          { type: "image", data: "AA==", mimeType: "" },
          { type: "resource", resource: { uri: "", text: "a" } },
          { type: "resource_link", uri: "u", name: "" },
          { type: "constructor" },
          { type: "audio", data: "AA==", mimeType: "audio/wav", annotations: { audience: ["user"] } },
        ],
      })
      equal([read.raw, read.content.map(({ raw }) => raw)], [result, blocks])
    })
    await within(script('{"contents":[{"uri":"a","text":"","mimeType":7},{"uri":"b","text":"t","blob":"b"},{"uri":"c","blob":"AA=="}]}'), async (session) => {
      const { contents } = await session.readResource({ uri: "a" })
      equal([contents, contents.map(({ raw }) => raw)], [[{ uri: "a", text: "" }, { uri: "b", text: "t" }, { uri: "c", blob: "AA==" }], ['{"uri":"a","text":"","mimeType":7}', '{"uri":"b","text":"t","blob":"b"}', '{"uri":"c","blob":"AA=="}']])
    })
  })

  test("arguments are an object or the text of one", async () => {
    await within(
      () => Promise.reject(new Error("it was sent")),
      async (session) => {
        for (const args of ["[]", "7", "{", '{"a":1},"requestState":"s"', /** @type {any} */ ([])]) {
          ok((await thrown(() => session.callTool({ name: "t", arguments: args }), String(args))) instanceof TypeError, String(args))
        }
      },
    )
  })

  test("a list is gone through page by page, as far as somebody goes", async () => {
    const [a, b, c] = ['{ "name": "a\\\\\\"]}", "inputSchema": {"type":"object","n":1.0,"x":[[],{}]} }', '{"name":"b"}', '{"name":"c"}']
    /** @type {Record<string, string>} */
    const pages = {
      "": `{"resultType":"complete", "tools" : [ ${a} , ${b} ], "nextCursor":"\\u00e9"}`,
      é: '{"tools":[],"nextCursor":"2"}',
      2: `{"x":[{"tools":[7]}],"tools":[${c}]}`,
    }
    let sent = 0
    const send = (/** @type {Outbound} */ { params }) => (sent++, response(pages[JSON.parse(params).cursor ?? ""] ?? ""))
    await within(send, async (session) => {
      const seen = []
      for await (const { name, raw } of session.tools()) seen.push([name, raw, sent])
      equal(seen, [['a\\"]}', a, 1], ["b", b, 1], ["c", c, 3]])
      sent = 0
      for await (const { inputSchema } of session.tools()) {
        equal(inputSchema.type, "object")
        break
      }
      equal(sent, 1, "what nobody wants is not fetched")
    })
  })

  test("of lists given twice the last one counts, and of icons the first hundred", async () => {
    const icons = Array.from({ length: 101 }, (_, i) => `{"src":"${i}"}`)
    const last = `{"name":"b","icons":[${icons}]}`
    await within(script(`{"tools":[{"name":"a"}],"tools":[${last}]}`), async (session) => {
      const seen = []
      for await (const { name, icons, raw } of session.tools()) seen.push([name, icons?.length, icons?.at(-1)?.src, raw])
      equal(seen, [["b", 100, "99", last]])
    })
  })

  test("each list has its method", async () => {
    const send = (/** @type {Outbound} */ { method }) => response(`{"${method === "resources/templates/list" ? "resourceTemplates" : method.split("/")[0]}":[{"name":"${method}","uri":"u","uriTemplate":"u"}]}`)
    await within(send, async (session) => {
      const seen = []
      for (const list of [session.tools(), session.prompts(), session.resources(), session.resourceTemplates()]) for await (const { name } of list) seen.push(name)
      equal(seen, ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
    })
  })

  test("a server without a list has an empty one", async () => {
    await within(
      () => notFound,
      async (session) => {
        for await (const { name } of session.prompts()) throw new Error(name)
      },
    )
  })

  test("a list that does not end, or is none, is told", async () => {
    let sent = 0
    /** @type {Record<string, [send: Send, code: number, words: string, items: number]>} */
    const tests = {
      "new cursors": [() => response(`{"tools":[{"name":"a"}],"nextCursor":"${++sent}"}`), Code.limit, "more than 1,000 pages", 1000],
      "no list": [() => response('{"tools":{}}'), Code.malformed, "tools/list: the result has no list of tools", 0],
      "gone after a page": [({ params }) => (params === "{}" ? response('{"tools":[{"name":"a"}],"nextCursor":"1"}') : notFound), Code.rpc, "Method not found", 1],
    }
    for (const [name, [send, code, words, want]] of Object.entries(tests)) {
      await within(send, async (session) => {
        let items = 0
        const failure = await thrown(async () => {
          for await (const _ of session.tools()) items++
        }, name)
        equal([failure instanceof Failure, failure.code, items], [true, code, want], name)
        contains(failure.message, words, name)
      })
    }
  })

  test("a list ends with its signal", async () => {
    const controller = new AbortController()
    await within(
      () => (controller.abort(), new Promise(() => {})),
      async (session) => equal((await thrown(() => session.tools({ signal: controller.signal }).next(), "an aborted list")).code, Code.canceled),
    )
  })
}
