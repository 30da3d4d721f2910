/**
 * @typedef {import("./engine/call.js").Action} Action
 * @typedef {import("./engine/call.js").Ask} Ask
 * @typedef {import("./engine/call.js").Begin} Begin
 * @typedef {import("./engine/call.js").Can} Can
 * @typedef {import("./engine/call.js").Event} Event
 * @typedef {import("./engine/call.js").Expect} Expect
 * @typedef {import("./forms/check.js").Field} Field
 * @typedef {import("./engine/call.js").Info} Info
 * @typedef {import("./engine/call.js").Json} Json
 * @typedef {import("./engine/call.js").Leg} Leg
 * @typedef {import("./engine/call.js").Note} Note
 * @typedef {import("./engine/call.js").Options} Options
 * @typedef {import("./engine/call.js").Pause} Pause
 * @typedef {import("./forms/check.js").Problem} Problem
 * @typedef {import("./forms/check.js").Unchecked} Unchecked
 * @typedef {import("./results/cache-store.js").CacheStore} CacheStore
 * @typedef {import("./results/cache-store.js").SharedCache} SharedCache
 * @typedef {import("./calls/askers.js").Answer} Answer
 * @typedef {import("./calls/askers.js").Asker} Asker
 * @typedef {import("./calls/askers.js").Askers} Askers
 * @typedef {import("./calls/askers.js").AskContext} AskContext
 * @typedef {import("./calls/askers.js").Question} Question
 * @typedef {import("./calls/driver.js").Failed} Failed
 * @typedef {import("./calls/driver.js").Outcome} Outcome
 * @typedef {import("./transport/fetch.js").FetchOptions} FetchOptions
 * @typedef {import("./transport/requests.js").Outbound} Outbound
 * @typedef {import("./transport/requests.js").Send} Send
 * @typedef {import("./transport/requests.js").SendContext} SendContext
 * @typedef {import("./forms/question.js").FormField} FormField
 * @typedef {import("./forms/question.js").QuestionForm} QuestionForm
 * @typedef {import("./calls/request.js").CallOptions} CallOptions
 * @typedef {import("./calls/request.js").Request} Request
 * @typedef {import("./calls/request.js").Resumption} Resumption
 * @typedef {import("./calls/request.js").HostSide} HostSide
 * @typedef {import("./results/schema.js").CallToolResult} CallToolResult
 * @typedef {import("./results/schema.js").ContentBlock} ContentBlock
 * @typedef {import("./results/schema.js").GetPromptResult} GetPromptResult
 * @typedef {import("./results/schema.js").Prompt} Prompt
 * @typedef {import("./results/schema.js").ReadResourceResult} ReadResourceResult
 * @typedef {import("./results/schema.js").Resource} Resource
 * @typedef {import("./results/schema.js").ResourceContents} ResourceContents
 * @typedef {import("./results/schema.js").ResourceTemplate} ResourceTemplate
 * @typedef {import("./results/schema.js").Tool} Tool
 * @typedef {import("./texts/sentence.js").Sentence} Sentence
 * @typedef {import("./calls/session.js").ConnectOptions} ConnectOptions
 * @typedef {import("./engine/session.js").CallAction} CallAction
 * @typedef {import("./engine/session.js").Changed} Changed
 * @typedef {import("./engine/session.js").Server} Server
 * @typedef {import("./engine/session.js").SessionAction} SessionAction
 * @typedef {import("./engine/session.js").SessionEvent} SessionEvent
 * @typedef {import("./engine/session.js").SessionOptions} SessionOptions
 * @typedef {import("./engine/session.js").Subscribed} Subscribed
 * @typedef {import("./engine/session.js").SubscriptionFilter} SubscriptionFilter
 * @typedef {import("./transport/contract.js").Carried} Carried
 * @typedef {import("./transport/contract.js").Carrier} Carrier
 * @typedef {import("./transport/contract.js").Receive} Receive
 * @typedef {import("./transport/contract.js").Transport} Transport
 * @typedef {import("./results/typed.js").CallSettings} CallSettings
 * @typedef {import("./results/typed.js").PromptGet} PromptGet
 * @typedef {import("./results/typed.js").ResourceRead} ResourceRead
 * @typedef {import("./results/completion.js").Completion} Completion
 * @typedef {import("./results/typed.js").ToolCall} ToolCall
 * @typedef {import("./calls/watchers.js").SessionWatchers} SessionWatchers
 * @typedef {import("./calls/watchers.js").Watchers} Watchers
 * @typedef {import("./store/parking.js").Entries} Entries
 * @typedef {import("./store/parking.js").Entry} Entry
 * @typedef {import("./store/parking.js").Holder} Holder
 * @typedef {import("./store/parking.js").Parked} Parked
 * @typedef {import("./store/parking.js").StoreOptions} StoreOptions
 */

export { PARK } from "./calls/askers.js"
export { memoryCache } from "./results/cache-store.js"
export { Engine } from "./engine/index.js"
export { Code, InstanceError, ParleyError } from "./engine/errors.js"
export { Failure } from "./results/failure.js"
export { formHints } from "./forms/hints.js"
export { fetchTransport } from "./transport/fetch.js"
export { Lease } from "./store/lease.js"
export { requests } from "./transport/requests.js"
export { connect, Session } from "./calls/session.js"
export { SessionCore } from "./engine/session.js"
export { translate } from "./texts/sentence.js"
export { StatusError } from "./transport/status-error.js"
export { ProblemCode } from "./forms/problem.js"
export { newId, ParkingStore } from "./store/parking.js"
export { NotFoundError, TakenError } from "./store/errors.js"
export { indexedDBStore } from "./store/indexeddb.js"
export { memoryStore } from "./store/memory.js"
export { shareCall, watchCall } from "./calls/tabs.js"
export { promptResult, resourceResult, toolResult } from "./results/typed.js"
export { unsent } from "./transport/unsent.js"
