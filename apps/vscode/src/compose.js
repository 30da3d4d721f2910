// Making a call: which server, what of it, and with which arguments.

import * as vscode from "vscode"

import { offers } from "../../shared-js/offers.js"
import { kinds } from "../../shared-js/words.js"
import { askArguments } from "./arguments.js"
import { pickServer } from "./pick-server.js"
import { servers } from "./settings.js"
import { line } from "./shown.js"
import { BACK, Left } from "./leaving.js"
import { Sheet } from "./question-sheet.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Request } from "./calls.js" */
/** @import { Offer } from "../../shared-js/offers.js" */
/** @import { Sessions } from "../../shared-js/sessions.js" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Drafts } from "./field.js" */
/** @import { Server } from "./servers.js" */

/** The arguments of calls that were begun and not made, by what is called. @typedef {Map<string, Drafts>} Begun */

/** @type {Record<Offer["method"], string>} */
const icons = { "tools/call": "tools", "prompts/get": "comment", "resources/read": "file" }

/**
 * Lets the person put a call together. Undefined if there is no server to call.
 *
 * @param {Engine} engine @param {Sessions<Server>} sessions @param {Accounts} accounts @param {Begun} begun
 * @returns {Promise<{server: Server, request: Request} | undefined>}
 */
export async function compose(engine, sessions, accounts, begun) {
  for (;;) {
    const server = await pickServer("Which server is to be called?", accounts)
    if (!server) return
    const request = await composeFor(engine, sessions, server, servers().servers.length > 1, begun)
    if (request !== BACK) return { server, request }
  }
}

/** What can be called, for a list: a tool that may run as a task is there for either way. @param {Offer[]} all */
export function itemsOf(all) {
  const ways = all.flatMap((offer) => (offer.mayBeTask ? [offer, { ...offer, task: true }] : [offer]))
  return ways.map((offer) => ({
    label: `$(${icons[offer.method]}) ${line(offer.title, 80)}${offer.task ? " (as a task)" : ""}`,
    description: line(`${kinds[offer.method]?.toLowerCase()} ${offer.name === offer.title ? "" : offer.name}`, 80),
    detail: offer.description && line(offer.description, 200),
    offer,
  }))
}

/** @param {Engine} engine @param {Sessions<Server>} sessions @param {Server} server @param {boolean} back there is a step before @param {Begun} begun */
async function composeFor(engine, sessions, server, back, begun) {
  const stop = new AbortController()
  const title = line(server.label, 60)
  const all = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `${title}: what does it offer?`, cancellable: true }, async (_, cancel) => {
    cancel.onCancellationRequested(() => stop.abort(new Left("stop")))
    return sessions.use(server, (session) => offers(session, stop.signal))
  })
  const items = itemsOf(all)
  for (;;) {
    const picked = await new Sheet({ title }).pick({ step: 1, total: 1, back, prompt: `What ${title} offers, in its own words.`, placeholder: "What is to be called?", items })
    if (picked === BACK) return BACK
    const { offer } = picked
    const called = JSON.stringify([server.address, offer.method, offer.name])
    const drafts = begun.get(called) ?? new Map()
    begun.set(called, drafts)
    const params = await askArguments(engine, offer, new Sheet({ title: `${title}: ${line(offer.title, 80)}` }), drafts)
    if (params === BACK) continue
    begun.delete(called)
    return { method: offer.method, params, title: offer.title }
  }
}
