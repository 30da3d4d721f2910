// What a session of Parley's in JavaScript does as an interoperability program.
import { setTimeout as sleep } from "node:timers/promises"

import { Code, connect, load, PARK } from "../../../hosts/js/dist/node.js"
import { patience, play } from "../js/play.js"

/** @import { AskContext, Question, Transport } from "../../../hosts/js/dist/node.js" */
/** @import { Person } from "../js/person.js" */
/** @import { Player, Target } from "../js/play.js" */

/** Whose call it is: a snapshot opens for no other. */
const labels = { peer: "interop", principal: "ada" }

export const engine = await load()

/**
 * Plays the calls on standard input in a session over a transport.
 *
 * @param {(target: Target, person: Person, legacy: boolean) => Transport | Promise<Transport>} reach
 * @param {boolean} [modernTasks] whether it carries tasks of 2026-07-28
 */
export const playSession = (reach, modernTasks = true) => play(async (target, person, legacy) => {
  /** @type {string | undefined} */
  let version
  const elicit = async (/** @type {Question} */ { params = "", repeat }, /** @type {AskContext} */ { signal }) => {
    if (repeat && legacy) return told(signal)
    const answer = await person.elicit(JSON.parse(params))
    return String(answer.action) === "park" ? PARK : answer // which the official clients are never told
  }
  const session = connect(engine, await reach(target, person, legacy), {
    clientInfo: { name: "interop-parley-js", version: "1" },
    askers: { elicit, elicitURL: elicit, sample: ({ params = "" }) => person.sample(JSON.parse(params)), listRoots: () => person.listRoots(), tasks: modernTasks || legacy },
    logLevel: "info",
    probeTimeout: patience, // a server that is slow to start is not one of the earlier era
    watchers: {
      onReady: (server) => void (version = server.version),
      onNotification: (method, params) => {
        if (method === "notifications/message") person.logs.push(String(JSON.parse(params ?? "{}").data))
      },
      onWarning: (text) => console.error(text),
    },
  })
  await session.call({ method: "tools/list" }) // names the parameters that are header fields
  if (String(version) >= "2026-07-28" === legacy) throw new Error(`the client and the server speak ${version}`)

  /** @type {Player["call"]} */
  const call = async ({ tool, prompt, resource, arguments: args, task, snapshot }, { signal, onprogress }) => {
    const onProgress = (/** @type {number} */ _, /** @type {string} */ params) => onprogress?.(JSON.parse(params).progress)
    const running = { watchers: { onProgress }, signal }
    const [method, params] = tool
      ? ["tools/call", { name: tool, arguments: args, task }]
      : prompt
        ? ["prompts/get", { name: prompt, arguments: args }]
        : ["resources/read", { uri: String(resource) }]
    const outcome = snapshot ? await session.resume({ snapshot, expect: labels, ...running }) : await session.call({ method, params, options: labels, ...running })
    if (outcome.status === "parked") return { snapshot: outcome.snapshot }
    if (outcome.status === "done") return textOf(JSON.parse(outcome.result))
    const code = Object.entries(Code).find(([, code]) => code === outcome.code)?.[0]
    throw new Error(`${code}: ${outcome.detail} ${outcome.response ?? ""}`)
  }
  return { call, close: () => session.close() }
})

/** Whether the page was visited is the server's to say, which withdraws the question. @param {AbortSignal} signal */
async function told(signal) {
  await sleep(patience, undefined, { signal })
  throw new Error("the server does not say that the page was visited")
}

/** @param {any} result */
function textOf({ content, messages, contents }) {
  return (content ?? messages?.map((/** @type {any} */ { content }) => content) ?? contents).map((/** @type {any} */ { text }) => text).join()
}
