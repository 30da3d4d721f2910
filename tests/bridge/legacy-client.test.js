// Clients of 2025 on the TypeScript SDK, version 1, at a server of MCP 2026-07-28.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, test } from "node:test"
import { promisify } from "node:util"

import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

import { bridge, goServer, parley, serve, until } from "./programs.js"

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

for (const over of ["stdio", "http"]) {
  describe(over, () => {
    /**
     * A client, and what it was asked.
     *
     * @param {import("node:test").TestContext} t
     * @param {{capabilities?: any, answers?: Record<string, (params: any, extra: any) => any>, flags?: string[], server?: string[]}} [how]
     */
    async function connect(t, { capabilities = everything, answers = {}, flags = [], server = [] } = {}) {
      const { url } = await serve(t, goServer(...server))
      const client = new Client({ name: "test", version: "1" }, { capabilities })
      /** @type {string[]} */
      const asked = []
      const answer = (/** @type {string} */ kind) => (/** @type {any} */ { params }, /** @type {any} */ extra) => {
        asked.push(params?.message ?? kind)
        const say = answers[kind]
        if (!say) throw new Error(`nobody answers ${kind}`)
        return say(params, extra)
      }
      if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, answer("elicit"))
      if (capabilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, answer("sample"))
      if (capabilities.roots) client.setRequestHandler(ListRootsRequestSchema, answer("roots"))
      let log = () => ""
      if (over === "http") {
        const running = await serve(t, bridge("--listen", ":0", ...flags, url))
        log = running.log
        await client.connect(new StreamableHTTPClientTransport(new URL(running.url)))
      } else {
        const [command, ...args] = bridge(...flags, url)
        const transport = new StdioClientTransport({ command, args, stderr: "pipe" })
        let text = ""
        transport.stderr?.on("data", (bytes) => (text += bytes))
        log = () => text
        await client.connect(transport)
      }
      t.after(() => client.close())
      const call = async (/** @type {string} */ name, /** @type {any} */ args, /** @type {any} */ options = {}) => {
        const { content } = /** @type {any} */ (await client.callTool({ name, arguments: args }, undefined, options))
        return content[0].text
      }
      return { client, call, asked, log }
    }

    const form = (/** @type {any} */ content) => () => ({ action: "accept", content })

    test("says what the server is", async (t) => {
      const { client } = await connect(t)
      assert.equal(client.getServerVersion()?.name, "parley-go-server")
      assert.ok(client.getServerCapabilities()?.tools)
      assert.equal(client.getServerCapabilities()?.tasks, undefined)
      assert.ok((await client.listTools()).tools.some(({ name }) => name === "plan_trip"))
      assert.deepEqual(await client.ping(), {})
    })

    test("a form, accepted, declined and cancelled", async (t) => {
      const actions = [{ action: "accept", content: { units: "imperial" } }, { action: "decline" }, { action: "cancel" }]
      const { call, asked } = await connect(t, { answers: { elicit: () => actions.shift() } })
      assert.equal(await call("get_weather", { location: "Oslo" }), "Oslo: 64 °F, light rain, wind 9 mph.")
      assert.equal(await call("get_weather", { location: "Oslo" }), "Oslo: 18 °C, light rain, wind 15 km/h.")
      assert.equal(await call("get_weather", { location: "Oslo" }), "The user cancelled: no weather for Oslo.")
      assert.equal(asked.length, 3)
    })

    test("two rounds, the second from the first", async (t) => {
      const elicit = (/** @type {any} */ { requestedSchema }) => ({
        action: "accept",
        content: requestedSchema.properties.resolution ? { resolution: "Duplicate" } : { original_id: 3 },
      })
      const { call, asked } = await connect(t, { answers: { elicit } })
      assert.equal(await call("update_work_item", { id: 7, state: "Resolved" }), "Work item 7 is now Resolved as a duplicate of 3.")
      assert.equal(asked.length, 2)
    })

    test("sampling, roots, and all kinds in one round", async (t) => {
      const { call, asked } = await connect(t, {
        answers: {
          elicit: form({ start: "2026-12-01" }),
          sample: () => ({ role: "assistant", model: "m", content: { type: "text", text: "Short." } }),
          roots: () => ({ roots: [{ uri: "file:///b", name: "B" }] }),
        },
      })
      assert.equal(await call("summarise", { text: "A long text." }), "Short.")
      assert.equal(await call("list_files", {}), "B (file:///b)")
      assert.match(await call("plan_trip", { destination: "Rome" }), /Rome/)
      assert.equal(asked.length, 5)
    })

    test("an answer that does not fit is asked for again, with the reason", async (t) => {
      const contents = [{ units: "kelvin" }, { units: "metric" }]
      const { call, asked } = await connect(t, { answers: { elicit: () => ({ action: "accept", content: contents.shift() }) } })
      assert.equal(await call("get_weather", { location: "Oslo" }), "Oslo: 18 °C, light rain, wind 15 km/h.")
      assert.match(asked[1], /The last answer could not be sent: .*units/)
    })

    test("a client that answers with an error ends the call, and reads why", async (t) => {
      const { call } = await connect(t, { answers: {} })
      await assert.rejects(call("summarise", { text: "A long text." }), /this client answered sampling\/createMessage with error/)
    })

    test("what a client did not declare is not asked", async (t) => {
      const { call, asked } = await connect(t, { capabilities: {} })
      await assert.rejects(call("get_weather", { location: "Oslo" }), { code: -32021 })
      assert.deepEqual(asked, [])
    })

    test("a page, which is opened once and then asked about", async (t) => {
      /** @type {string[]} */
      const modes = []
      let page = ""
      const elicit = async (/** @type {any} */ { mode, url, message }) => {
        modes.push(mode)
        if (mode === "url") page = url
        else if (modes.length === 3) assert.ok((await fetch(page, { method: "POST" })).ok) // its button
        else assert.match(message, /The page is open/)
        return mode === "url" ? { action: "accept" } : { action: "accept", content: {} }
      }
      const { call } = await connect(t, { answers: { elicit } })
      assert.match(await call("connect_account", {}), /onnected/)
      assert.deepEqual(modes, ["url", "form", "form"])
    })

    test("a prompt and a resource that ask, and a page", async (t) => {
      const elicit = async (/** @type {any} */ { mode, url, elicitationId, requestedSchema }) => {
        if (mode === "url") {
          assert.ok(elicitationId, "elicitationId is required in this era")
          assert.ok((await fetch(url, { method: "POST" })).ok)
          return { action: "accept" }
        }
        const [name, schema] = Object.entries(requestedSchema.properties)[0]
        return { action: "accept", content: { [name]: schema.default ?? (schema.enum ?? schema.oneOf.map((/** @type {any} */ one) => one.const))[0] } }
      }
      const { client, call } = await connect(t, { answers: { elicit } })
      assert.ok((await client.getPrompt({ name: "code_review", arguments: {} })).messages.length > 0)
      assert.ok((await client.readResource({ uri: "parley://report/quarterly" })).contents.length > 0)
      assert.match(await call("connect_account", {}), /onnected/)
    })

    test("progress while somebody is waited for", async (t) => {
      /** @type {(answer: any) => void} */
      let answer
      const elicit = () => new Promise((resolve) => (answer = resolve))
      const { call } = await connect(t, { answers: { elicit }, flags: ["--heartbeat", "200ms"] })
      /** @type {number[]} */
      const values = []
      const onprogress = (/** @type {any} */ { progress, message }) => {
        assert.equal(message, "waiting for an answer to elicitation/create")
        if (values.push(progress) === 3) answer({ action: "accept", content: { units: "metric" } })
      }
      // A client that gives up without news does not.
      const text = await call("get_weather", { location: "Oslo" }, { onprogress, timeout: 60_000, resetTimeoutOnProgress: true })
      assert.equal(text, "Oslo: 18 °C, light rain, wind 15 km/h.")
      assert.deepEqual(values, [...new Set(values)].sort((a, b) => a - b), "they increase")
    })

    test("a client that cancels cancels the call, and the question", async (t) => {
      const abort = new AbortController()
      /** @type {AbortSignal | undefined} */
      let question
      const elicit = (/** @type {any} */ _, /** @type {any} */ { signal }) => {
        question = signal
        abort.abort()
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("it was taken back"))))
      }
      const { client, call, log } = await connect(t, { answers: { elicit } })
      await assert.rejects(call("get_weather", { location: "Oslo" }, { signal: abort.signal }))
      await until(() => question?.aborted === true, "the question was taken back")
      await until(() => log().includes("canceled by the client"), "the bridge took note")
      assert.deepEqual(await client.ping(), {})
    })

    test("parallel calls, each with its own question", async (t) => {
      const elicit = async (/** @type {any} */ { message }) => {
        await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()))
        return { action: "accept", content: { units: /Paris|Rome/.test(message) ? "imperial" : "metric" } }
      }
      const { call, asked } = await connect(t, { answers: { elicit } })
      const places = ["Oslo", "Paris", "Bern", "Rome", "Kyiv", "Lima"]
      const texts = await Promise.all(places.map((location) => call("get_weather", { location })))
      assert.deepEqual(texts, places.map((place) =>
        /Paris|Rome/.test(place) ? `${place}: 64 °F, light rain, wind 9 mph.` : `${place}: 18 °C, light rain, wind 15 km/h.`))
      assert.equal(asked.length, places.length)
    })

    test("a call that becomes a task comes to its result", async (t) => {
      const elicit = (/** @type {any} */ { requestedSchema }) => ({
        action: "accept",
        content: Object.fromEntries(Object.entries(requestedSchema.properties).map(([name, schema]) =>
          [name, /** @type {any} */ ({ boolean: true, array: [], integer: 1 })[/** @type {any} */ (schema).type] ?? "ada"])),
      })
      const { call, asked } = await connect(t, { answers: { elicit }, server: ["-step", "50ms"] })
      assert.match(await call("provision", { name: "web-1" }), /web-1/)
      assert.equal(asked.length, 2)
    })

    test("the log tells nothing of what was said", async (t) => {
      const { call, log } = await connect(t, { answers: { elicit: form({ resolution: "Won't fix" }) } })
      await call("update_work_item", { id: 471147, state: "Resolved" }).catch(() => {})
      await until(() => log().includes("asked the client"), "the question is in the log")
      assert.doesNotMatch(log(), /471147|Won't fix|requestState/)
    })
  })
}

test("a bridge that stops while somebody is asked says where the call is", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "bridge-"))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const [key, store] = [join(dir, "key"), `file:${join(dir, "calls")}`]
  const run = (/** @type {string[]} */ ...args) => {
    const [program = "", ...rest] = parley(...args)
    return promisify(execFile)(program, rest, { env: { ...process.env, PARLEY_SNAPSHOT_KEY_FILE: key } })
  }
  await run("token", "new-key", key)
  const { url } = await serve(t, goServer())
  const { url: at, stop } = await serve(t, bridge("--listen", ":0", "--store", store, "--key-file", key, url))
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } })
  t.after(() => client.close())
  /** @type {Promise<number> | undefined} */
  let stopped
  client.setRequestHandler(ElicitRequestSchema, () => {
    stopped = stop()
    return new Promise(() => {}) // somebody thinks
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(at)))
  const call = client.callTool({ name: "get_weather", arguments: { location: "Oslo" } })
  const said = await call.then(() => "", ({ message }) => message)
  const [, id = ""] = /parley resume (\S+)/.exec(said) ?? []
  assert.notEqual(id, "", said)
  assert.equal(await stopped, 0)
  const script = join(dir, "answers.json")
  await writeFile(script, '{"answers":[{"key":"units","action":"decline"}]}')
  assert.match((await run("resume", id, "--store", store, "--script", script)).stdout, /^Oslo: 18 °C/)
})

test("one request that is refused ends no other, and a session that ended is begun again", async (t) => {
  const { url } = await serve(t, goServer())
  const { url: at } = await serve(t, bridge("--listen", ":0", "--max-body", "1", url))
  const near = new URL(`${at.replace("127.0.0.1", "LOCALHOST")}/`)
  /** @param {Record<string, string>} [first] header fields that come with initialize */
  const connect = async (first = {}) => {
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, async () => {
      // While somebody is asked another call is refused.
      await assert.rejects(client.callTool({ name: "get_weather", arguments: { location: "A".repeat(2 << 20) } }), { code: -32600, message: /longer than/ })
      return { action: "decline" }
    })
    const transport = new StreamableHTTPClientTransport(near, { fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      if (String(init?.body).includes('"method":"initialize"')) for (const [name, value] of Object.entries(first)) headers.set(name, value)
      return fetch(url, { ...init, headers })
    } })
    await client.connect(transport)
    t.after(() => client.close())
    return { client, transport }
  }
  /** A client that takes up a session that it had. @param {string} sessionId */
  const fetchTools = async (sessionId) => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(near, { sessionId }))
    t.after(() => client.close())
    return client.listTools()
  }
  const { client, transport } = await connect()
  const call = { name: "get_weather", arguments: { location: "Oslo" } }
  assert.match(JSON.stringify(await client.callTool(call)), /Oslo: 18/)
  const gone = transport.sessionId ?? ""
  await transport.terminateSession()
  await assert.rejects(fetchTools(gone), { code: 404 })
  const again = await connect({ "Mcp-Session-Id": gone, "MCP-Protocol-Version": "2026-07-28" })
  assert.notEqual(again.transport.sessionId, gone)
})
