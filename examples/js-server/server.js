// An MCP server with two tools that ask before they answer. README.md says how to run it.
import { parseArgs } from "node:util"

import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node"
import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server"
import { createGuard, principal, readKeyFile } from "@parley-mcp/parley/codec"
import { guardServer, verdict } from "@parley-mcp/parley/server"
import { redisAddress, redisReplayStore } from "@parley-mcp/parley/store"
import { createClient } from "redis"

import { introspection, protect } from "./authorization.js"
import { Limits } from "./limits.js"

/** @import { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server" */

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "8081" }, // 0 takes a free one
    "key-file": { type: "string" }, // the same for every instance; without it the key ends with the process
    replay: { type: "string" }, // URL of the Redis where all instances mark used states, so that each opens once; one with a password goes into REPLAY in the environment
    issuer: { type: "string" }, // authorization server whose tokens update_work_item needs; without it nobody signs in
    stall: { type: "string", default: "60" }, // seconds that a request may take to arrive, or a connection wait for one
    "client-id": { type: "string" }, // under which tokens are looked up there; CLIENT_SECRET in the environment goes with it
  },
})

// What seals requestState: instances with the same keys and audience go on with each other's calls.
const guard = createGuard({
  ...(options["key-file"] && { keys: await readKeyFile(options["key-file"]) }),
  audience: "parley-example-js",
  ttl: 24 * 60 * 60 * 1000, // a person's time to think
  ...(await singleUse(options.replay ?? process.env.REPLAY)),
})

/** Lets a state of update_work_item open once, whichever instance it comes to. @param {string} [text] the URL of a Redis */
async function singleUse(text) {
  if (!text) return {}
  try {
    const { url, ...where } = redisAddress(text)
    const client = createClient({ url })
    client.on("error", ({ message }) => console.error(`Redis: ${message}`)) // it connects again by itself
    client.connect().catch(() => {}) // what keeps it from it is said above
    return { replay: await redisReplayStore(client, where), singleUse: ["update_work_item"] }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const weatherArguments = fromJsonSchema({ type: "object", properties: { location: { type: "string" } }, required: ["location"] })
const workItemArguments = fromJsonSchema({
  type: "object",
  properties: { id: { type: "integer" }, state: { type: "string", description: "for example New, Active, Resolved or Closed" } },
  required: ["id", "state"],
})

/** The SDK wants a server for each request; what is around the handlers is the same for all. */
function makeServer() {
  const server = guardServer(new McpServer({ name: "parley-example-js", version: "0.1.0" }), guard, { principal: user })
  server.server.onerror = (error) => console.error(error.message) // such as why a requestState was refused
  server.registerTool("get_weather", { description: "Tells the weather at a location.", inputSchema: weatherArguments }, getWeather)
  server.registerTool("update_work_item", { description: "Moves a work item to another state.", inputSchema: workItemArguments }, updateWorkItem)
  return server
}

/**
 * Whose call it is: the token's user, so that another client of theirs can go on with it. The tokens are of one issuer. Without
 * this it is the client, the issuer and the user, and a call stays with the client that began it.
 *
 * @param {ServerContext} context
 */
function user({ http }) {
  const name = http?.authInfo?.extra?.user
  return typeof name === "string" ? principal(null, null, name) : null
}

/**
 * What a request needs: the weather is for everybody, a question about a work item for who works on them, and what
 * changes one wants more.
 *
 * @type {import("./authorization.js").Options["scopes"]}
 */
function scopes({ name, answers }) {
  if (name !== "update_work_item") return undefined
  return answers ? ["items", "items:write"] : ["items"]
}

/** Asks once. @param {any} args @param {ServerContext} context */
function getWeather({ location }, context) {
  const round = new Round(context)
  const wish = round.ask("units", `Which units should the weather in ${location} be in?`, unitsForm)
  if (wish.pending) return wish.pending
  if (wish.action === "cancel") return say(`The user cancelled: no weather for ${location}.`)
  if (wish.content?.units === "imperial") return say(`${location}: 64 °F, light rain, wind 9 mph.`)
  return say(`${location}: 18 °C, light rain, wind 15 km/h.`) // also for who declines: no preference
}

/** Asks twice if the answer to its first question calls for it. @param {any} args @param {ServerContext} context */
function updateWorkItem({ id, state }, context) {
  if (state !== "Resolved") return say(`Work item ${id} is now ${state}.`)
  const round = new Round(context)
  const how = round.ask("resolution", `How was work item ${id} resolved?`, resolutionForm)
  if (how.pending) return how.pending
  if (how.action === "decline") return say(`Work item ${id} is unchanged: the user declined to give a resolution.`)
  if (how.action === "cancel") return say(`Work item ${id} is unchanged: the user cancelled.`)
  if (how.content.resolution !== "Duplicate") return say(`Work item ${id} is now Resolved as ${how.content.resolution}.`)

  const original = round.ask("duplicate", `Which other work item does ${id} duplicate?`, duplicateForm)
  if (original.pending) return original.pending
  if (original.action === "decline") return say(`Work item ${id} is unchanged: the user declined to name the original.`)
  if (original.action === "cancel") return say(`Work item ${id} is unchanged: the user cancelled after choosing Duplicate.`)
  const { original_id, comment } = original.content
  if (original_id === id) return say(`Work item ${id} is unchanged: it cannot duplicate itself.`)
  const text = `Work item ${id} is now Resolved as a duplicate of ${original_id}.`
  return say(comment ? `${text} Comment: ${JSON.stringify(comment)}.` : text)
}

/** @param {string} text @returns {{content: {type: "text", text: string}[]}} */
const say = (text) => ({ content: [{ type: "text", text }] })

const unitsForm = {
  type: "object",
  properties: {
    units: {
      type: "string",
      title: "Units",
      default: "metric",
      oneOf: [{ const: "metric", title: "Metric (°C, km/h)" }, { const: "imperial", title: "Imperial (°F, mph)" }],
    },
  },
  required: ["units"],
}
const resolutionForm = {
  type: "object",
  properties: { resolution: { type: "string", title: "Resolution", enum: ["Fixed", "Won't fix", "Duplicate", "By design"] } },
  required: ["resolution"],
}
const duplicateForm = {
  type: "object",
  properties: {
    original_id: { type: "integer", title: "Original work item", minimum: 1 },
    comment: { type: "string", title: "Comment", maxLength: 200 },
  },
  required: ["original_id"],
}

/**
 * One round of a call. A handler runs from its beginning in every round; the answers so far are its requestState, which
 * the Guard seals.
 */
class Round {
  /** @param {ServerContext} context */
  constructor(context) {
    this.context = context
    this.answers = JSON.parse(context.mcpReq.requestState() ?? "{}")
  }

  /**
   * The answer to a form, or, if it is not there yet, the `pending` result to return.
   *
   * @param {string} key
   * @param {string} message
   * @param {any} schema
   * @returns {{pending: InputRequiredResult, action?: undefined, content?: undefined} | {pending?: undefined, action: string, content?: any}}
   */
  ask(key, message, schema) {
    const question = inputRequired.elicit({ message, requestedSchema: schema })
    const { inputResponses } = this.context.mcpReq
    const answer = inputResponse(inputResponses, key)
    if (answer.kind === "elicit" && verdict(this.context, key, question) === "same") {
      const content = acceptedContent(inputResponses, key, fromJsonSchema(schema))
      if (answer.action !== "accept" || content) this.answers[key] = { action: answer.action, content }
    }
    return this.answers[key] ?? { pending: inputRequired({ inputRequests: { [key]: question }, requestState: JSON.stringify(this.answers) }) }
  }
}

const answer = toNodeHandler(createMcpHandler(makeServer, { legacy: "reject" })) // earlier protocol versions have no rounds
const rightHost = localhostHostValidation()
const rightOrigin = localhostOriginValidation()
/** @type {import("./limits.js").Next} */
const serve = (request, response, body) => (request.url === "/mcp" ? answer(request, response, body) : response.writeHead(404).end())

const limits = new Limits({ stall: Number(options.stall) * 1000 })
limits.server.once("error", (error) => {
  console.error(`js-server: ${error.message}: choose a port with --port N, or have a free one chosen with --port 0`)
  process.exit(1)
})
await new Promise((resolve) => limits.server.listen(Number(options.port), "127.0.0.1", () => resolve(undefined)))
const address = limits.server.address()
const resource = `http://127.0.0.1:${typeof address === "object" && address?.port}/mcp`
const { issuer, "client-id": id = "" } = options
/** Whose share of the requests it is. @param {import("node:http").IncomingMessage & {auth?: import("@modelcontextprotocol/server").AuthInfo}} request */
const client = ({ auth, socket }) => (typeof auth?.extra?.user === "string" ? `user ${auth.extra.user}` : String(socket.remoteAddress))
let handler = limits.share(serve, client)
if (issuer) {
  const verify = await introspection(issuer, id, process.env.CLIENT_SECRET ?? "", resource)
  handler = protect({ resource, issuer, verify, scopes }, handler)
}
limits.serve(async (request, response, body) => {
  // Pages of other sites are not to call a server on this machine.
  if (rightHost(request, response) && rightOrigin(request, response)) await handler(request, response, body)
})
process.once("SIGTERM", () => limits.stop()) // calls that wait for somebody wait with their clients
console.log(`listening on ${resource}`)
