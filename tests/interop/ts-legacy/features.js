import { setTimeout as sleep } from "node:timers/promises"

import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js"

import { features } from "../js/features.js"
import * as task from "./task.js"

/** @import { State } from "../js/state.js" */

/** A server with every feature, for one session. @param {State} state */
export function makeServer(state) {
  const capabilities = { logging: {}, tools: {}, prompts: {}, resources: {}, tasks: task.capability }
  const server = new Server({ name: "interop-ts-legacy", version: "1" }, { capabilities, ...task.stores })
  const tools = [...features.tools.map(({ legacy, ...tool }) => tool), task.tool]
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (params.name === task.tool.name) return task.build(server, state, params, extra)
    const text = await tell[params.name](params.arguments ?? {}, new Call(server, extra, state))
    return { content: [{ type: "text", text }] }
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: "advise", arguments: [{ name: "topic", required: true }] }] }))
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, extra) => {
    const topic = params.arguments?.topic
    const { content, no } = await new Call(server, extra, state).form("tone")
    const text = no ? `Advise on ${topic}.` : `Advise on ${topic} in a ${content.tone} tone.`
    return { messages: [{ role: "user", content: { type: "text", text } }] }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ name: "report", uri: "interop://report" }] }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    const { content, no } = await new Call(server, extra, state).form("quarter")
    const text = no ? "Report for the year." : `Report for ${content.quarter}.`
    return { contents: [{ uri: params.uri, mimeType: "text/plain", text }] }
  })
  return server
}

/** A request that is being handled. */
class Call {
  /** @param {Server} server @param {any} extra @param {State} state */
  constructor(server, extra, state) {
    this.server = server
    this.extra = extra
    this.state = state
    /** Puts questions on the response's stream. */
    this.related = { relatedRequestId: extra.requestId }
  }

  /** Asks a form. @param {string} name @param {object} [options] @param {string} [message] @returns {Promise<{content: any, no?: string}>} */
  async form(name, options = this.related, message = features.forms[name].message) {
    const { action, content } = await this.server.elicitInput({ mode: "form", ...features.forms[name], message }, options)
    const no = { accept: undefined, decline: "declined", cancel: "cancelled" }[action]
    return { content: content ?? {}, no }
  }

  /** Reports progress, if that is wanted. @param {{progress: number, total?: number, message?: string}} how */
  async progress(how) {
    const progressToken = this.extra._meta?.progressToken
    if (progressToken !== undefined) await this.extra.sendNotification({ method: "notifications/progress", params: { progressToken, ...how } })
  }
}

/** What each tool comes to. @type {Record<string, (args: any, call: Call) => string | Promise<string>>} */
const tell = {
  echo: ({ text }) => text,

  async ask_form(_, call) {
    const { content, no } = await call.form("person")
    return no ?? `accepted ${JSON.stringify(content, Object.keys(content).sort())}`
  },

  async ask_twice(_, call) {
    const first = await call.form("kind")
    if (first.no) return first.no
    const { kind } = first.content
    const { content, no } = await call.form(kind)
    return no ?? `a ${kind}: ${content.which}`
  },

  async ask_all(_, call) {
    const { content, no } = await call.form("name")
    if (no) return no
    const messages = [{ role: /** @type {const} */ ("user"), content: { type: /** @type {const} */ ("text"), text: "Write a line about the sea." } }]
    const sample = /** @type {any} */ (await call.server.createMessage({ messages, maxTokens: 100 }, call.related))
    const { roots } = await call.server.listRoots(undefined, call.related)
    return `${content.name}; ${sample.content.text}; ${roots[0].uri}`
  },

  async open_page(_, { server, related, state: { pages } }) {
    const id = pages.add()
    const question = { mode: /** @type {const} */ ("url"), elicitationId: id, message: "Please open the page.", url: pages.url(id) }
    const { action } = await server.elicitInput(question, related)
    if (action !== "accept") return action === "decline" ? "declined" : "cancelled"
    await pages.visit(id)
    await server.createElicitationCompletionNotifier(id, related)()
    return "visited"
  },

  require_page(_, { server, extra, state: { pages, required } }) {
    const before = required.get(extra.sessionId)
    if (before !== undefined && pages.visited(before)) {
      required.delete(extra.sessionId)
      return "visited"
    }
    const id = before ?? pages.add()
    if (before === undefined) {
      required.set(extra.sessionId, id)
      void pages.visit(id).then(server.createElicitationCompletionNotifier(id))
    }
    throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: id, message: "Please open the page.", url: pages.url(id) }])
  },

  busy: ({ rounds }) => `ready after ${rounds} rounds`, // there is no such round in this era

  async progress({ steps }, call) {
    await call.extra.sendNotification({ method: "notifications/message", params: { level: "info", logger: "interop", data: "working" } })
    for (let step = 1; step <= steps; step++) {
      await call.progress({ progress: step, total: steps, message: `step ${step}` })
      await sleep(20) // clients forget who wants progress when the result is there
    }
    return `done after ${steps} steps`
  },

  async slow({ id, seconds }, call) {
    const { outcomes } = call.state
    outcomes.set(id, "running")
    await call.progress({ progress: 1 }) // tells that it runs
    try {
      await sleep(seconds * 1000, undefined, { signal: call.extra.signal })
    } catch (error) {
      outcomes.set(id, "cancelled")
      console.error(`slow ${id}: cancelled`) // for a client that takes it along when it ends
      throw error
    }
    outcomes.set(id, "finished")
    return "finished"
  },

  outcome: ({ id }, { state }) => state.outcomes.get(id) ?? "unknown",

  async charge({ id, amount }, call) {
    const { content, no } = await call.form("pay", call.related, features.forms.pay.message.replace("AMOUNT", amount))
    if (no) return no
    if (content.confirm !== true) return "not confirmed"
    call.state.charge(id)
    return `paid ${amount}`
  },

  charged: ({ id }, { state }) => String(state.charges.get(id) ?? 0),

  async deliver({ region, priority = 0, insured = false }, call) {
    const { no } = await call.form("deliver")
    return no ?? `region ${region}, priority ${priority}, insured ${insured}`
  },

  async ask_on_stream(_, call) {
    const { content } = await call.form("name", {})
    return content.name
  },

  async cut_stream(_, { extra }) {
    extra.closeSSEStream?.()
    await sleep(100) // the client is between two streams
    return "resumed"
  },
}
