import { whyNoOffer } from "../../kit/failure.js"
import { offers } from "../../kit/offers.js"
import { plainLine } from "../../kit/plain.js"
import { count, kinds } from "../../kit/words.js"
import { app } from "./app.js"
import { el, fill } from "./element.js"
import { icon } from "./icon.js"
import { shownLine } from "./shown.js"

/** @import { Offer } from "../../kit/offers.js" */
/** @import { Server, Sessions } from "../../kit/sessions.js" */

/** How much of what was left out is shown. */
const mostNotices = 5

/** What a server offers, to pick from. */
export class Catalogue {
  #sessions
  #servers
  #pick
  /** @type {Server | undefined} */
  #server
  /** @type {Offer[]} */
  #offers = []
  #asked = new AbortController()
  #choice
  #status = el("p", { class: "connection", role: "status" })
  #filter = el("input", {
    type: "search",
    id: "filter",
    placeholder: "Filter",
    autocomplete: "off",
    "aria-label": "Filter what can be called",
    oninput: () => this.#show(),
  })
  #groups = el("div", { class: "groups" })
  /** What was left out of what the server offers. @type {string[]} */
  #left = []
  #notices = el("div", { class: "notices" })

  /** @type {HTMLElement} */
  element

  /** @param {Sessions<Server>} sessions @param {Server[]} servers @param {(server: Server, offer: Offer) => void} pick */
  constructor(sessions, servers, pick) {
    this.#sessions = sessions
    this.#servers = servers
    this.#pick = pick
    this.#choice = el(
      "select",
      { id: "server", onchange: () => this.connect(servers[Number(this.#choice.value)]) },
      servers.map(({ label }, i) => el("option", { value: i }, plainLine(label, 100))),
    )
    const one = servers.length === 1
    this.element = el(
      "section",
      { class: "catalogue", "aria-labelledby": "catalogue-title" },
      el("h2", { id: "catalogue-title" }, one ? plainLine(servers[0]?.label ?? "", 100) : el("label", { for: "server" }, "Server")),
      !one && servers.length > 0 && this.#choice,
      this.#status,
      this.#filter,
      this.#groups,
      this.#notices,
    )
    this.connect(servers[0])
  }

  /** Finds what an earlier call was of, if this server still offers it. @param {{address: string, method: string, name: string}} call */
  find({ address, method, name }) {
    const server = this.#server
    const offer = this.#offers.find((one) => one.method === method && one.name === name)
    return server?.address === address && offer ? { server, offer } : undefined
  }

  focus() {
    this.#filter.focus()
  }

  /** Asks a server what it offers. @param {Server | undefined} server */
  async connect(server) {
    this.#asked.abort()
    this.#offers = []
    this.#left = []
    this.#server = server
    this.#show()
    if (!server) {
      fill(this.#status, "There is no server: the page’s own server names them.")
      return
    }
    const { signal } = (this.#asked = new AbortController())
    const host = new URL(server.address).host
    this.#tell("working", `Connecting to ${host}…`)
    try {
      const found = await this.#sessions.use(server, (session) => offers(session, signal))
      if (signal.aborted) return
      this.#offers = found
      this.#tell("good", found.length ? `Connected to ${host}` : `${host} offers nothing to call.`)
      this.#show()
    } catch (error) {
      if (signal.aborted) return
      this.#tell("bad", `No connection to ${host}. `, el("button", { type: "button", class: "quiet", onclick: () => this.connect(server) }, "Try again"))
      this.#groups.append(el("p", { class: "tip" }, plainLine(whyNoOffer(error, app), 600)))
    }
  }

  /** @param {string} state @param {...(string | Node)} words */
  #tell(state, ...words) {
    this.#status.className = `connection ${state}`
    fill(this.#status, words)
  }

  #show() {
    const wanted = this.#filter.value.trim().toLowerCase()
    const matching = this.#offers.filter(({ name, title, description }) => `${name} ${title} ${description}`.toLowerCase().includes(wanted))
    this.#filter.hidden = this.#offers.length === 0
    fill(
      this.#groups,
      groups.map(({ method, title, name }) => {
        const offers = matching.filter((offer) => offer.method === method)
        return (
          offers.length > 0 &&
          el(
            "div",
            { class: "group", role: "group", "aria-label": title },
            el("h3", {}, title),
            el(
              "ul",
              {},
              offers.map((offer) => el("li", {}, this.#entry(offer, name))),
            ),
          )
        )
      }),
      this.#offers.length > 0 && !matching.length && el("p", { class: "tip" }, `None of ${count(this.#offers.length, "entry", "entries")} matches.`),
    )
    this.#showNotices()
  }

  #showNotices() {
    const more = this.#left.length - mostNotices
    fill(
      this.#notices,
      this.#left.slice(0, mostNotices).map((text) => el("p", { class: "tip" }, plainLine(text, 300))),
      more > 0 && el("p", { class: "tip" }, `There ${more === 1 ? "is" : "are"} ${count(more, "more of this", "more of these")} in the browser’s log.`),
    )
  }

  /** The session tells of what it leaves out of a list, and of more that is for the log alone. @param {Server} server @param {string} text */
  warned({ address }, text) {
    if (address !== this.#server?.address || !text.startsWith("left out ") || this.#left.includes(text)) return
    this.#left.push(text)
    this.#showNotices()
  }

  /** @param {Offer} offer @param {string} name */
  #entry(offer, name) {
    const server = this.#server
    return el(
      "button",
      { type: "button", onclick: () => server && this.#pick(server, offer) },
      icon(name),
      el("span", { class: "title theirs" }, shownLine(offer.title, 80)),
      el("span", { class: "about theirs" }, shownLine(offer.description, 140)),
    )
  }
}

const groups = Object.entries(kinds).map(([method, kind]) => ({ method, title: `${kind}s`, name: kind.toLowerCase() }))
