// A session without WebAssembly in the page: the host's own server drives it. Each
// half takes only its own part of this.

/**
 * @typedef {import("./host.js").Settings} RemoteSettings
 * @typedef {import("./session.js").RemoteOptions} RemoteOptions
 * @typedef {import("./visit.js").Visitor} Visitor
 * @typedef {import("./messages.js").Socket} Socket
 */

export { PARK } from "../calls/askers.js"
export { Code, ParleyError } from "../engine/errors.js"
export { Failure } from "../results/failure.js"
export { RemoteHost } from "./host.js"
export { connectRemote, RemoteSession } from "./session.js"
export { promptResult, resourceResult, toolResult } from "../results/typed.js"
