// A session without WebAssembly in the page: the host's own server drives it. Each
// half takes only its own part of this.

/**
 * @typedef {import("./remote-host.js").Settings} RemoteSettings
 * @typedef {import("./remote-session.js").RemoteOptions} RemoteOptions
 * @typedef {import("./remote-visit.js").Visitor} Visitor
 * @typedef {import("./remote-wire.js").Socket} Socket
 */

export { PARK } from "./calls/askers.js"
export { Code, ParleyError } from "./engine/errors.js"
export { Failure } from "./results/failure.js"
export { RemoteHost } from "./remote-host.js"
export { connectRemote, RemoteSession } from "./remote-session.js"
export { promptResult, resourceResult, toolResult } from "./results/typed.js"
