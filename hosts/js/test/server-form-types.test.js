// Forms made by zod, asked of the SDK's clients, which are strict.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { ElicitRequestFormParamsSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { createMcpHandler, InMemoryTransport } from "@modelcontextprotocol/server"
import { z } from "zod"

import { elicit, form } from "../dist/server/index.js"
import { serve, serverOf } from "./asking-server.js"

const Room = z.object({
  nights: z.int().positive().max(9),
  guests: z.int().nullable(),
  city: z.string().min(1).describe("Where to").optional(),
  note: z.string().nullable().default(null),
  meal: z.enum(["fish", "meat"]).nullish(),
  only: z.literal("yes"),
  kind: z.union([z.literal("small"), z.literal("large")]).default("small"),
  days: z.array(z.enum(["Mon", "Tue"])).min(1),
})
const schema = z.toJSONSchema(Room, { io: "input" })

/** @type {[name: string, field: object][]} in their order */
const fields = [
  ["nights", { type: "integer", minimum: 1, maximum: 9 }],
  ["guests", { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }], // the bounds of the type
  ["city", { type: "string", description: "Where to", minLength: 1 }],
  ["note", { type: "string" }],
  ["meal", { type: "string", enum: ["fish", "meat"] }],
  ["only", { type: "string", enum: ["yes"] }],
  ["kind", { type: "string", enum: ["small", "large"], default: "small" }],
  ["days", { type: "array", items: { type: "string", enum: ["Mon", "Tue"] }, minItems: 1 }],
]
const answer = { action: /** @type {const} */ ("accept"), content: { nights: 3, only: "yes", days: ["Tue"] } }
const room = { nights: 3, guests: null, note: null, only: "yes", kind: "small", days: ["Tue"] }

/** @param {any} requested */
function isAsked(requested) {
  assert.deepEqual(Object.entries(requested.properties), fields)
  assert.deepEqual(requested.required, ["nights", "only", "days"])
}

const server = () => serverOf(async (_, ask) => JSON.stringify(Room.parse(await ask.form("Which room?", schema))))

for (const version of ["2026-07-28", "2025-11-25"]) {
  test(`a form made by zod is asked of the SDK's client of ${version}, and its type is filled`, async (t) => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    const modern = version === "2026-07-28"
    const handler = createMcpHandler(server)
    if (!modern) await server().connect(near)
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: modern ? { pin: version } : "legacy" } })
    t.after(() => client.close())
    /** @type {any[]} */
    const asked = []
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(/** @type {any} */ (params).requestedSchema)
      return answer
    })
    await client.connect(modern ? new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: (url, init) => handler.fetch(new Request(url, init)) }) : far)
    assert.deepEqual((await client.callTool({ name: "ask" })).content, [{ type: "text", text: JSON.stringify(room) }])
    assert.equal(asked.length, 1)
    isAsked(asked[0])
  })
}

test("a form made by zod is asked of the client of SDK 1", async (t) => {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server().connect(near)
  const client = new Client1({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  t.after(() => client.close())
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    isAsked(/** @type {any} */ (params).requestedSchema)
    return answer
  })
  await client.connect(/** @type {any} */ (far))
  assert.deepEqual((await client.callTool({ name: "ask" })).content, [{ type: "text", text: JSON.stringify(room) }])
})

test("the SDK's type of a form takes what is asked, and not what was meant", () => {
  const whole = (/** @type {unknown} */ requestedSchema) => ElicitRequestFormParamsSchema.safeParse({ message: "?", requestedSchema }).success
  assert.equal(whole(schema), false)
  assert.equal(whole(form("?", schema).params.requestedSchema), true)
})

/** What MCP has no form for, and which keyword says so. @type {Record<string, [of: z.ZodType, keyword: string]>} */
const wider = {
  "a number above 0": [z.number().positive(), "exclusiveMinimum"],
  "a multiple": [z.int().multipleOf(5), "multipleOf"],
  "a pattern": [z.string().regex(/^[A-Z]+$/), "pattern"],
  "a pattern beside a format": [z.email(), "pattern"],
  "another format": [z.uuid(), "format"],
  "a free list": [z.array(z.string()), "items"],
  "an object": [z.object({ a: z.string() }), "type"],
  "two types": [z.union([z.string(), z.number()]), "type"],
  "numbers to choose from": [z.literal([1, 2]), "enum"],
  "anything": [z.any(), "type"],
  "null beside a default": [z.string().nullable().default("x"), "default"],
}
for (const [what, [of, keyword]] of Object.entries(wider)) {
  test(`${what} is an error when the question is made`, () => {
    const made = z.toJSONSchema(z.object({ code: of }), { io: "input" })
    const error = { name: "TypeError", message: new RegExp(`^parley: MCP allows no such "${keyword}" for the field "code" of a form: .`) }
    assert.throws(() => form("?", made), error)
    assert.throws(() => elicit({ message: "?", requestedSchema: made }), error)
  })
}

test("the client is told what the author has to mend, and nobody is asked", async () => {
  const answer = await serve(async (_, ask) => JSON.stringify(await ask.form("?", z.toJSONSchema(z.object({ code: z.array(z.string()) })))))({})
  assert.equal(answer.result.inputRequests, undefined)
  assert.equal(answer.result.isError, true)
  assert.match(answer.result.content[0].text, /no such "items" for the field "code" of a form: only choices can be listed/)
})

test("the value of a keyword is not told", () => {
  assert.throws(() => form("?", /** @type {any} */ ({ type: "object", properties: { a: { type: "integer", default: "hunter2" } } })), (/** @type {Error} */ error) => !error.message.includes("hunter2"))
})

for (const keyword of ["minimum", "maximum", "default", "exclusiveMinimum", "exclusiveMaximum"]) {
  test(`a ${keyword} that JavaScript would round is an error`, () => {
    const wide = (/** @type {number} */ value) => /** @type {any} */ ({ type: "object", properties: { n: { type: "integer", [keyword]: value } } })
    assert.throws(() => form("?", wide(Number.MAX_SAFE_INTEGER + 1)), new RegExp(`no such "${keyword}" for the field "n"`))
    if (!keyword.startsWith("exclusive")) form("?", wide(Number.MAX_SAFE_INTEGER))
  })
}
