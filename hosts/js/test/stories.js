// The stories of tests/stories/go-server, to be told by any transport.
import { contains, equal } from "./assert.js"

/** @import { Asker, Session } from "../dist/index.js" */

/** @type {Record<string, string>} */
export const answers = {
  units: '{"action":"accept","content":{"units":"imperial"}}',
  resolution: '{"action":"accept","content":{"resolution":"Duplicate"}}',
  duplicate: '{"action":"accept","content":{"original_id":4242,"comment":"same crash"}}',
  confirm: '{"action":"accept","content":{"confirm":true,"disks":2,"tags":["dev"]}}',
  preferences: '{"action":"accept","content":{"start":"2026-12-01","days":3,"pace":"busy"}}',
  review: '{"action":"accept","content":{"language":"Go","focus":"security"}}',
  quarter: '{"action":"accept","content":{"quarter":"Q3"}}',
}

/** Whoever answers the questions of the stories. */
export const askers = {
  /** @type {Asker} */
  elicit: ({ key }) => answers[key] ?? Promise.reject(new Error(`unexpected question ${key}`)),
  sample: () => ({ role: "assistant", content: { type: "text", text: "a model said this" }, model: "m" }),
  listRoots: () => ({ roots: [{ uri: "file:///srv/project", name: "project" }] }),
}

/** @type {Record<string, [method: string, params: object, want: string, legs: number]>} */
const stories = {
  form: ["tools/call", { name: "get_weather", arguments: { location: "Oslo" } }, "°F", 2],
  "two rounds": ["tools/call", { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } }, "4242", 3],
  "no round": ["tools/call", { name: "update_work_item", arguments: { id: 4711, state: "Active" } }, "4711", 1],
  "typed form": ["tools/call", { name: "provision_vm", arguments: { size: "small" } }, "small", 2],
  sampling: ["tools/call", { name: "summarise", arguments: { text: "long" } }, "a model said this", 2],
  roots: ["tools/call", { name: "list_files", arguments: {} }, "file:///srv/project", 2],
  "three kinds": ["tools/call", { name: "plan_trip", arguments: { destination: "Rome" } }, "Rome", 2],
  waits: ["tools/call", { name: "busy_report", arguments: { waits: 4 } }, '"content"', 5],
  prompt: ["prompts/get", { name: "code_review", arguments: { code: "x := 1" } }, "security", 2],
  resource: ["resources/read", { uri: "parley://report/quarterly" }, "Q3", 2],
  "unrelated, flat": ["tools/list", {}, "get_weather", 1],
}

/** Every story of the server. @param {Session} session made with the askers */
export async function every(session) {
  for (const [name, [method, params, want, legs]] of Object.entries(stories)) {
    let last = 0
    const outcome = await session.call({ method, params, watchers: { onLeg: ({ leg }) => void (last = leg) } })
    if (outcome.status !== "done") throw new Error(`${name}: ${JSON.stringify(outcome)} ${outcome.status === "failed" && outcome.cause}`)
    contains(outcome.result, want, name)
    equal(last, legs, `${name}: legs`)
  }
}

/** Every story of the server, all at once. @param {Session} session made with the askers */
export async function everyAtOnce(session) {
  await Promise.all(
    Object.entries(stories).map(async ([name, [method, params, want]]) => {
      const outcome = await session.call({ method, params })
      if (outcome.status !== "done") throw new Error(`${name}: ${JSON.stringify(outcome)} ${outcome.status === "failed" && outcome.cause}`)
      contains(outcome.result, want, name)
    }),
  )
}
