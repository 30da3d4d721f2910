import { inputRequired, inputResponse } from "@modelcontextprotocol/server"

import { features } from "../js/features.js"

/** @import { RequestStateCodec, ServerContext, Server } from "@modelcontextprotocol/server" */
/** @import { State } from "../js/state.js" */

/** One round of a feature: what came back, and what the one before remembered. */
export class Round {
  /** @param {ServerContext} context @param {Server} server @param {State} state @param {RequestStateCodec<any>} codec @param {boolean} legacy */
  constructor(context, server, state, codec, legacy) {
    this.context = context
    this.server = server
    this.state = state
    this.codec = codec
    this.legacy = legacy
  }

  /** What the round before remembered, if there was one. @returns {any} */
  get remembered() {
    return this.context.mcpReq.requestState()
  }

  /** The answer to a form or url, or how the person said no; undefined if there is none. @param {string} key */
  elicited(key) {
    const view = inputResponse(this.context.mcpReq.inputResponses, key)
    if (view.kind !== "elicit") return
    const no = { accept: undefined, decline: "declined", cancel: "cancelled" }[view.action]
    return { content: /** @type {any} */ (view.content ?? {}), no }
  }

  /** One of the forms that all servers ask. @param {string} name */
  form(name) {
    return inputRequired.elicit(features.forms[name])
  }

  /** Ends the round with questions. @param {Record<string, any> | undefined} inputRequests @param {unknown} [remember] */
  async ask(inputRequests, remember) {
    const requestState = remember === undefined ? undefined : await this.codec.mint(remember, this.context)
    return inputRequired({ inputRequests, requestState })
  }
}
