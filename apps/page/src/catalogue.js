import { el, fill } from "./element.js"
import { failureOf, reason, serverSays } from "./failure.js"
import { icon } from "./icon.js"
import { plainLine, shownLine } from "./plain.js"
import { NoOfferError, offers } from "./server.js"
import { count, kinds } from "./words.js"

/** @import { Offer, Server } from "./server.js" */
/** @import { Sessions, Warning } from "./sessions.js" */

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

  /** @param {Sessions} sessions @param {Server[]} servers @param {(server: Server, offer: Offer) => void} pick */
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
    sessions.addEventListener("warning", (event) => this.#warned(/** @type {CustomEvent<Warning>} */ (event).detail))
    this.connect(servers[0])
  }

  /** Finds what an earlier call was of, if this server still offers it. @param {{url: string, method: string, name: string}} call */
  find({ url, method, name }) {
    const server = this.#server
    const offer = this.#offers.find((one) => one.method === method && one.name === name)
    return server?.url === url && offer ? { server, offer } : undefined
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
    const host = new URL(server.url).host
    this.#tell("working", `Connecting to ${host}…`)
    try {
      const found = await this.#sessions.use(server.url, (session) => offers(session, signal))
      if (signal.aborted) return
      this.#offers = found
      this.#tell("good", found.length ? `Connected to ${host}` : `${host} offers nothing to call.`)
      this.#show()
    } catch (error) {
      if (signal.aborted) return
      this.#tell("bad", `No connection to ${host}. `, el("button", { type: "button", class: "quiet", onclick: () => this.connect(server) }, "Try again"))
      this.#groups.append(el("p", { class: "tip" }, plainLine(why(error), 600)))
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

  /** The session tells of what it leaves out of a list, and of more that is for the log alone. @param {Warning} warning */
  #warned({ url, text }) {
    if (url !== this.#server?.url || !text.startsWith("left out ") || this.#left.includes(text)) return
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

const groups = [
  { method: "tools/call", title: `${kinds["tools/call"]}s`, name: "tool" },
  { method: "prompts/get", title: `${kinds["prompts/get"]}s`, name: "prompt" },
  { method: "resources/read", title: `${kinds["resources/read"]}s`, name: "resource" },
]

/** Why a server does not say what it offers. @param {unknown} error */
function why(error) {
  if (!(error instanceof NoOfferError)) return error instanceof Error ? error.message : String(error)
  const { method, outcome } = error
  if (outcome.status !== "failed") return `It asked something for ${method}.`
  return outcome.response === undefined ? reason(failureOf(outcome), "It") : `It answered ${method} with an error: ${serverSays(outcome.response)}`
}
