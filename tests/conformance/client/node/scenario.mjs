import { argumentsFor } from "./arguments.mjs"

/** @import { Client, Tool } from "./client.mjs" */

/** @typedef {{toolCalls?: {name: string, arguments: unknown}[]}} Given the MCP_CONFORMANCE_CONTEXT of http-custom-headers */

/**
 * Does what the suite wants to see in a scenario. Most want a client that uses
 * what there is; where the suite prescribes calls of its own, they are here.
 *
 * @param {Client} client @param {string} scenario @param {Given} given
 */
export async function play(client, scenario, given) {
  const tools = await client.tools()
  switch (scenario) {
    case "http-custom-headers":
      return callGiven(client, given)
    case "json-schema-2020-12-preservation":
      return echoSchema(client, tools)
    case "json-schema-ref-no-deref":
      return makeArguments(tools)
    case "sep-2322-client-request-state":
      return callBetween(client, tools)
  }
  return useAll(client, tools)
}

/**
 * Calls every tool, and gets and reads whatever else the server says it offers.
 *
 * @param {Client} client @param {Tool[]} tools
 */
async function useAll(client, tools) {
  await callAll(client, tools)
  if (client.offers.prompts) {
    for (const { name } of await client.list("prompts")) await client.request("prompts/get", { name })
  }
  if (client.offers.resources) {
    for (const { uri } of await client.list("resources")) await client.request("resources/read", { uri })
  }
}

/** @param {Client} client @param {Tool[]} tools */
async function callAll(client, tools) {
  for (const { name, inputSchema } of tools) await client.callTool(name, argumentsFor(inputSchema))
}

/**
 * Makes the calls of the context, which want odd values in header fields.
 *
 * @param {Client} client @param {Given} given
 */
async function callGiven(client, { toolCalls = [] }) {
  if (toolCalls.length === 0) {
    throw new Error("MCP_CONFORMANCE_CONTEXT has no toolCalls; the suite puts them there in http-custom-headers")
  }
  for (const call of toolCalls) await client.callTool(call.name, call.arguments)
}

/**
 * Hands one tool the input schema of another, as it was listed.
 *
 * @param {Client} client @param {Tool[]} tools
 */
async function echoSchema(client, tools) {
  const tool = tools.find(({ name }) => name === "json_schema_2020_12_tool")
  if (!tool) throw new Error("the server lists no json_schema_2020_12_tool")
  await client.callTool("json_schema_echo", { schema: tool.inputSchema })
}

/**
 * Uses the tools' schemas, which refer to other documents, as far as that goes
 * without a call: the suite's server has none.
 *
 * @param {Tool[]} tools
 */
function makeArguments(tools) {
  for (const { name, inputSchema } of tools) console.log(`arguments for ${name}: ${JSON.stringify(argumentsFor(inputSchema))}`)
}

/**
 * Calls every tool, and one of them also between the rounds of another: it must
 * not get what belongs to the other.
 *
 * @param {Client} client @param {Tool[]} tools
 */
async function callBetween(client, tools) {
  let times = 0
  client.meanwhile = () => {
    times++
    return client.callTool("test_mrtr_unrelated", {})
  }
  await callAll(client, tools)
  if (times === 0) throw new Error("the server asked nothing, so nothing was called between rounds")
}
