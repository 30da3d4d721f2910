/**
 * JSON text, or a value to turn into JSON text. What came from a server is
 * passed on as text: parsing and writing it again would turn 1.0 into 1.
 *
 * @typedef {string | object} Json
 */

/** @typedef {import("./wire.js").Can} Can */
/** @typedef {import("./wire.js").Options} Options */
/** @typedef {import("./wire.js").Expect} Expect */
/** @typedef {import("./wire.js").Info} Info */

/** @typedef {import("./wire.js").Typed<import("./wire.js").Events>} Event */
/** Starts a call, or continues one. @typedef {{type: "begin"} & import("./wire.js").Events["begin"]} Begin */

/** @typedef {Exclude<import("./wire.js").Typed<import("./wire.js").Actions>, {type: "done"}> | Done} Action */
/** A question of the server, or to sign in. @typedef {import("./wire.js").Actions["ask"]} Ask */
/** What a request sends, or what came back. @typedef {import("./wire.js").Actions["leg"]} Leg */
/** Nothing is sent until then. @typedef {import("./wire.js").Actions["pause"]} Pause */
/** An audit record, without state or content. @typedef {import("./wire.js").Actions["note"]} Note */
/** The final result, as JSON text. @typedef {{type: "done", result: string} & Omit<import("./wire.js").Actions["done"], "result" | "from" | "to">} Done */

/** What comes in place of {@link Done} after a response that came in parts. @typedef {{type: "done", result?: undefined, from: number, to: number} & Omit<import("./wire.js").Actions["done"], "result" | "from" | "to">} DoneWithin */

/**
 * The request for a new call.
 *
 * @param {string} method @param {Json} params @param {Options} options
 */
export function request(method, params, options) {
  const { capabilities } = options
  return { method, params: text(params), options: capabilities === undefined ? options : { ...options, capabilities: text(capabilities) } }
}

/** @param {Json} value */
export function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value)
}
