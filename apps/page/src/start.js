import { fetchTransport, load } from "@parley-mcp/parley"

import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { member } from "../../shared-js/raw-json.js"
import { Sessions } from "../../shared-js/sessions.js"
import { spoken } from "../../shared-js/spoken.js"
import { suggestions } from "../../shared-js/suggestions.js"
import { AccountDialog } from "./account-dialog.js"
import { Accounts } from "./accounts.js"
import { announceIn } from "./announce.js"
import { Calls } from "./calls.js"
import { Catalogue } from "./catalogue.js"
import { Composer } from "./composer.js"
import { Conversation } from "./conversation.js"
import { download } from "./download.js"
import { el, fill } from "./element.js"
import { Rail } from "./rail.js"
import { Records } from "./records.js"
import { SettingsDialog } from "./settings-dialog.js"
import { Settings } from "./settings.js"
import { questionsWaiting, WaitingList } from "./waiting.js"

/** @import { Registered } from "./accounts.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Server } from "../../shared-js/sessions.js" */

/** The page. */
async function start() {
  const [engine, records, servers] = await Promise.all([load(), Records.open(), knownServers()])
  const settings = new Settings()
  const accounts = new Accounts(servers)
  await accounts.returned()
  /** @type {Sessions<Server>} */
  const sessions = new Sessions(engine, {
    clientInfo: { name: "parley-browser-chat", title: "Parley in the browser", version: "0.1.0" },
    askers: (ask) => settings.askers(ask),
    transport: ({ address }) => fetchTransport(address, { authorization: (signal) => accounts.authorization(address, signal) }),
    account: (server) => accounts.at(server),
    onWarning(server, text, sentence) {
      console.info(`${server.address}: ${text}`)
      catalogue.warned(server, text, spoken(sentence))
    },
  })
  const calls = new Calls(engine, sessions, records, accounts)

  const composer = new Composer(engine, {
    call(request) {
      conversation.expect(calls.start(request))
    },
    browse: () => rail.browse(),
    suggest: (server, offer, argument, texts, signal) => sessions.use(server, (session) => suggestions(session, offer, argument, texts, signal)),
  })
  const accountDialog = new AccountDialog(accounts, sessions)
  const catalogue = new Catalogue(sessions, accounts, servers, {
    pick(server, offer) {
      rail.hide()
      composer.compose(server, offer)
    },
    account(server) {
      rail.hide()
      void accountDialog.open(server)
    },
  })
  const conversation = new Conversation(
    { engine, calls, records, settings, accounts },
    {
      goOn: (id, how) => void calls.goOn(id, how),
      discard: (id) => void calls.discard(id),
      file: (record) => void calls.copy(record.id).then((snapshot) => snapshot !== undefined && download(`${record.name}.parley`, snapshot)),
      startOver,
      again(record) {
        const found = catalogue.find(record)
        if (found) composer.compose(found.server, found.offer, member(record.params, "arguments"))
        else startOver(record)
      },
      home: () => composer.focus(),
    },
  )
  const waiting = new WaitingList(calls, (id, ask) => {
    rail.hide()
    conversation.goTo(id, ask)
  })
  const dialog = new SettingsDialog(settings)
  const rail = new Rail(calls, waiting, catalogue, () => dialog.open())

  /** @param {CallRecord} record */
  function startOver({ address, server, method, params, title, name, lines }) {
    conversation.expect(calls.start({ address, server, method, params, title, name, lines }))
  }

  const main = el(
    "main",
    { id: "conversation", tabindex: -1 },
    el("h1", { class: "unseen" }, t`Conversation`),
    records.problem !== undefined &&
      el("p", { class: "banner", role: "status" }, t`This browser keeps nothing for the page, so calls are lost when it closes. (${records.problem})`),
    conversation.element,
    rail.start,
    composer.element,
  )
  const regions = [0, 1].map(() => el("div", { class: "unseen", "aria-live": "polite" }))
  announceIn(regions)
  fill(
    document.body,
    el("a", { class: "skip", href: "#conversation" }, t`Skip to the conversation`),
    rail.bar,
    rail.element,
    rail.drawer,
    main,
    dialog.element,
    accountDialog.element,
    regions,
  )
  await calls.open()
  conversation.begin(questionsWaiting(waiting.size))
}

/** The servers that this page may call, as its own server names them. @returns {Promise<Registered[]>} */
async function knownServers() {
  const response = await fetch("servers.json")
  if (!response.ok) throw new Error(`servers.json: HTTP status ${response.status}`)
  return (await response.json()).map((/** @type {{label: string, url: string, clientId?: string}} */ { label, url, clientId }) => ({ label, address: url, clientId }))
}

start().catch((error) => {
  const words = error instanceof Error ? error.message : String(error)
  fill(
    document.body,
    el("main", { class: "broken" }, el("h1", {}, t`The page could not start`), el("p", {}, plainLine(words, 600)), el("p", {}, t`Reload it to try again.`)),
  )
  throw error
})
