import { setTimeout as sleep } from "node:timers/promises"

import { fromJsonSchema, inputRequired, inputResponse, McpServer, UrlElicitationRequiredError } from "@modelcontextprotocol/server"

import { features } from "../js/features.js"
import { Round } from "./round.js"

/** @import { InputRequiredResult, RequestStateCodec, ServerContext } from "@modelcontextprotocol/server" */
/** @import { State } from "../js/state.js" */

/**
 * A feature ends with a text, or with questions.
 *
 * @typedef {string | InputRequiredResult} Reply
 * @typedef {(args: any, round: Round) => Reply | Promise<Reply>} Feature
 */

/**
 * A server with every feature: for one request, or for a session of an earlier era.
 *
 * @param {State} state @param {RequestStateCodec<any>} codec @param {boolean} legacy
 */
export function makeServer(state, codec, legacy) {
  const mcp = new McpServer(
    { name: "interop-ts", version: "1" },
    {
      capabilities: { logging: {} },
      supportedProtocolVersions: legacy ? ["2025-11-25", "2025-06-18"] : ["2026-07-28"],
      requestState: { verify: codec.verify },
    },
  )
  /** @template T @param {Feature} feature @param {any} args @param {ServerContext} context @param {(text: string) => T} end */
  const play = async (feature, args, context, end) => {
    const reply = await feature(args, new Round(context, mcp.server, state, codec, legacy))
    return typeof reply === "string" ? end(reply) : reply
  }
  for (const tool of features.tools) {
    if (tool.legacy && !legacy) continue
    const { name, description } = tool
    mcp.registerTool(name, { description, inputSchema: fromJsonSchema(tool.inputSchema) }, (args, context) =>
      play(tools[name], args, context, (text) => ({ content: [{ type: "text", text }] })),
    )
  }
  const argsSchema = fromJsonSchema({ type: "object", properties: { topic: { type: "string" } }, required: ["topic"] })
  mcp.registerPrompt("advise", { argsSchema }, (args, context) =>
    play(advise, args, context, (text) => ({ messages: [{ role: "user", content: { type: "text", text } }] })),
  )
  mcp.registerResource("report", "interop://report", { mimeType: "text/plain" }, (uri, context) =>
    play(report, {}, context, (text) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text }] })),
  )
  return mcp
}

/** @type {Record<string, Feature>} */
const tools = {
  echo: ({ text }) => text,

  ask_form(_, round) {
    const answer = round.elicited("form")
    if (!answer) return round.ask({ form: round.form("person") })
    const { content, no } = answer
    return no ?? `accepted ${JSON.stringify(content, Object.keys(content).sort())}`
  },

  ask_twice(_, round) {
    if (round.remembered === undefined) {
      const answer = round.elicited("kind")
      if (!answer) return round.ask({ kind: round.form("kind") })
      return answer.no ?? round.ask({ which: round.form(answer.content.kind) }, { kind: answer.content.kind })
    }
    const answer = round.elicited("which")
    return answer?.no ?? `a ${round.remembered.kind}: ${answer?.content.which}`
  },

  ask_all(_, round) {
    const answer = round.elicited("form")
    if (!answer) {
      const messages = [{ role: /** @type {const} */ ("user"), content: { type: /** @type {const} */ ("text"), text: "Write a line about the sea." } }]
      return round.ask({
        form: round.form("name"),
        sample: inputRequired.createMessage({ messages, maxTokens: 100 }),
        roots: inputRequired.listRoots(),
      })
    }
    if (answer.no) return answer.no
    const sample = /** @type {any} */ (inputResponse(round.context.mcpReq.inputResponses, "sample"))
    const roots = /** @type {any} */ (inputResponse(round.context.mcpReq.inputResponses, "roots"))
    return `${answer.content.name}; ${sample.result.content.text}; ${roots.roots[0].uri}`
  },

  async open_page(_, round) {
    const { pages } = round.state
    const answer = round.elicited("page")
    if (answer?.no) return answer.no
    const id = round.remembered?.id ?? pages.add()
    if (answer && round.legacy) {
      await pages.visit(id)
      await round.server.createElicitationCompletionNotifier(id)()
    }
    if (answer && pages.visited(id)) return "visited"
    const page = inputRequired.elicitUrl({ message: "Please open the page.", url: pages.url(id) })
    // Clients of the earlier era are told of the visit by this id; the SDK would make one up.
    if (round.legacy) Object.assign(/** @type {any} */ (page.params), { elicitationId: id })
    return round.ask({ page }, { id })
  },

  require_page(_, round) {
    const { pages, required } = round.state
    const session = round.context.sessionId
    const before = required.get(session)
    if (before !== undefined && pages.visited(before)) {
      required.delete(session)
      return "visited"
    }
    const id = before ?? pages.add()
    if (before === undefined) {
      required.set(session, id)
      void pages.visit(id).then(round.server.createElicitationCompletionNotifier(id))
    }
    throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: id, message: "Please open the page.", url: pages.url(id) }])
  },

  busy({ rounds }, round) {
    const done = round.remembered?.done ?? 0
    return done < rounds ? round.ask(undefined, { done: done + 1 }) : `ready after ${done} rounds`
  },

  async progress({ steps }, round) {
    const { mcpReq } = round.context
    await mcpReq.log("info", "working", "interop")
    for (let step = 1; step <= steps; step++) {
      await tell(mcpReq, { progress: step, total: steps, message: `step ${step}` })
      await sleep(20) // clients forget who wants progress when the result is there
    }
    return `done after ${steps} steps`
  },

  async slow({ id, seconds }, round) {
    const { outcomes } = round.state
    const { mcpReq } = round.context
    outcomes.set(id, "running")
    await tell(mcpReq, { progress: 1 }) // tells that it runs
    return new Promise((resolve) => {
      const end = (/** @type {string} */ outcome) => () => {
        outcomes.set(id, outcome)
        clearTimeout(timer)
        resolve(outcome)
      }
      const timer = setTimeout(end("finished"), seconds * 1000)
      mcpReq.signal.addEventListener("abort", end("cancelled"))
    })
  },

  outcome: ({ id }, round) => round.state.outcomes.get(id) ?? "unknown",

  charge({ id, amount }, round) {
    const answer = round.elicited("confirm")
    if (!answer) {
      const form = features.forms.pay
      return round.ask({ confirm: inputRequired.elicit({ ...form, message: form.message.replace("AMOUNT", String(amount)) }) })
    }
    if (answer.no) return answer.no
    if (answer.content.confirm !== true) return "not confirmed"
    round.state.charge(id)
    return `paid ${amount}`
  },

  charged: ({ id }, round) => String(round.state.charges.get(id) ?? 0),

  deliver({ region, priority = 0, insured = false }, round) {
    const answer = round.elicited("confirm")
    if (!answer) return round.ask({ confirm: round.form("deliver") })
    return answer.no ?? `region ${region}, priority ${priority}, insured ${insured}`
  },

  async ask_on_stream(_, round) {
    // Not by the request's context, which would put the question on its stream.
    const answer = await round.server.elicitInput(features.forms.name)
    return String(answer.content?.name)
  },

  async cut_stream(_, round) {
    round.context.http?.closeSSE?.()
    await sleep(100) // the client is between two streams
    return "resumed"
  },
}

/** @type {Feature} */
function advise({ topic }, round) {
  const answer = round.elicited("tone")
  if (!answer) return round.ask({ tone: round.form("tone") })
  return answer.no ? `Advise on ${topic}.` : `Advise on ${topic} in a ${answer.content.tone} tone.`
}

/** @type {Feature} */
function report(_, round) {
  const answer = round.elicited("quarter")
  if (!answer) return round.ask({ quarter: round.form("quarter") })
  return answer.no ? "Report for the year." : `Report for ${answer.content.quarter}.`
}

/** Reports progress, if that is wanted. @param {ServerContext["mcpReq"]} mcpReq @param {{progress: number, total?: number, message?: string}} how */
async function tell(mcpReq, how) {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...how } })
}
