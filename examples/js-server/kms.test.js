// The codec of kms.js by Parley's kit, and whole calls at a server on the official SDK that seals with it.
import assert from "node:assert/strict"
import { test } from "node:test"

import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { connect, fetchTransport, load } from "@parley-mcp/parley"
import { createGuard } from "@parley-mcp/parley/codec"
import { testCodec } from "@parley-mcp/parley/codec-test"
import { guardServer } from "@parley-mcp/parley/server"

import { kmsCodec } from "./kms.js"
import { StandInKeyService } from "./kms-stand-in.js"

testCodec((name, run) => void test(`kms: ${name}`, run), async () => {
  const service = new StandInKeyService()
  return { codec: await kmsCodec(service, [await service.newDataKey()]), other: await kmsCodec(service, [await service.newDataKey()]) }
})

/** An instance of a server that asks once. @param {StandInKeyService} service @param {Uint8Array<ArrayBuffer>[]} wrapped */
async function instance(service, wrapped) {
  const guard = createGuard({ codec: await kmsCodec(service, wrapped), audience: "payments" })
  return createMcpHandler(() => {
    const server = guardServer(new McpServer({ name: "payments", version: "1" }), guard)
    server.registerTool("pay", {}, ({ mcpReq }) => {
      if (mcpReq.requestState() === "asked") return { content: [{ type: "text", text: `paid: ${JSON.stringify(mcpReq.inputResponses)}` }] }
      return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }) }, requestState: "asked" })
    })
    return server
  })
}

/** Calls the tool, each request at the next of the instances, and tells what was sent. @param {ReturnType<typeof createMcpHandler>[]} instances */
async function pay(instances) {
  /** @type {string[]} */
  const sent = []
  const session = connect(await load(), fetchTransport("http://127.0.0.1/mcp", {
    fetch: async (url, init) => {
      const request = new Request(url, init)
      const body = await request.clone().text()
      const at = body.includes("tools/call") ? sent.push(body) - 1 : 0
      return /** @type {ReturnType<typeof createMcpHandler>} */ (instances[at % instances.length]).fetch(request)
    },
  }), { askers: { elicit: () => ({ action: "accept", content: {} }) } })
  try {
    return { outcome: await session.call({ method: "tools/call", params: { name: "pay" } }), sent }
  } finally {
    await session.close()
  }
}

test("a call goes on at another instance with the same wrapped key, and the service is asked once for each", async () => {
  const service = new StandInKeyService()
  const wrapped = [await service.newDataKey()]
  const instances = [await instance(service, wrapped), await instance(service, wrapped)]
  for (let i = 0; i < 3; i++) {
    const { outcome, sent } = await pay(instances)
    assert.equal(outcome.status, "done", JSON.stringify(outcome))
    assert.match(outcome.status === "done" ? outcome.result : "", /paid: .*accept/)
    assert.equal(sent.length, 2)
    const { requestState } = JSON.parse(sent[1] ?? "").params
    assert.ok(requestState.length > 100 && !Buffer.from(requestState, "base64url").includes("asked"), "the state is sealed")
  }
  assert.equal(service.unwrapped, 2)
})

test("a data key is rotated under way, and a state of one that was dropped is refused", async () => {
  const service = new StandInKeyService()
  const [old, young] = [await service.newDataKey(), await service.newDataKey()]
  const before = await instance(service, [old, young])
  for (const after of [[young, old], [old]]) assert.equal((await pay([before, await instance(service, after)])).outcome.status, "done")
  const { outcome } = await pay([before, await instance(service, [young])])
  assert.equal(outcome.status, "failed")
  assert.match(JSON.stringify(outcome), /Invalid or expired requestState/)
})

test("without a wrapped key there is no codec", async () => {
  await assert.rejects(kmsCodec(new StandInKeyService(), []), /a wrapped data key is needed/)
})
