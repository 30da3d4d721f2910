import { whyNoOffer } from "../../shared-js/failure.js"
import { t } from "../../shared-js/language.js"
import { offers } from "../../shared-js/offers.js"
import { plainLine } from "../../shared-js/plain.js"
import { app } from "./app.js"
import { el, fill } from "./element.js"
import { icon, kindIcon } from "./icon.js"
import { signInToSee } from "./question-sign-in.js"
import { shownLine } from "./shown.js"

/** @import { Accounts } from "./accounts.js" */
/** @import { Offer } from "../../shared-js/offers.js" */
/** @import { Server, Sessions } from "../../shared-js/sessions.js" */
/** @import { SigningIn } from "./sign-in.js" */

/** How much of what was left out is shown. */
const mostNotices = 5

/** What a server offers, to pick from. */
export class Catalogue {
  #sessions
  #accounts
  #servers
  #does
  /** @type {Server | undefined} */
  #server
  /** @type {Offer[]} */
  #offers = []
  #asked = new AbortController()
  /** It does not say what it offers. */
  #failed = false
  #choice
  #status = el("p", { class: "connection", role: "status" })
  #filter = el("input", {
    type: "search",
    id: "filter",
    placeholder: t`Filter`,
    autocomplete: "off",
    "aria-label": t`Filter what can be called`,
    oninput: () => this.#show(),
  })
  /** Who is signed in, and signing in where that is wanted to see what is offered. */
  #account
  #signIn = el("div", {})
  /** @type {SigningIn | undefined} */
  #signingIn
  #groups = el("div", { class: "groups" })
  /** What was left out of what the server offers. @type {string[]} */
  #left = []
  #notices = el("div", { class: "notices" })

  /** @type {HTMLElement} */
  element

  /**
   * @param {Sessions<Server>} sessions @param {Accounts} accounts @param {Server[]} servers
   * @param {{pick: (server: Server, offer: Offer) => void, account: (server: Server) => void}} does what is picked, and who is signed in there
   */
  constructor(sessions, accounts, servers, does) {
    this.#sessions = sessions
    this.#accounts = accounts
    this.#servers = servers
    this.#does = does
    this.#choice = el(
      "select",
      { id: "server", onchange: () => this.connect(servers[Number(this.#choice.value)]) },
      servers.map(({ label }, i) => el("option", { value: i }, plainLine(label, 100))),
    )
    const one = servers.length === 1
    this.#account = el("button", { type: "button", class: "quiet account", hidden: true, onclick: () => this.#server && does.account(this.#server) }, icon("account"), t`Signed in`)
    this.element = el(
      "section",
      { class: "catalogue", "aria-labelledby": "catalogue-title" },
      el("h2", { id: "catalogue-title" }, one ? plainLine(servers[0]?.label ?? "", 100) : el("label", { for: "server" }, t`Server`)),
      !one && servers.length > 0 && this.#choice,
      el("div", { class: "line" }, this.#status, this.#account),
      this.#signIn,
      this.#filter,
      this.#groups,
      this.#notices,
    )
    accounts.addEventListener("change", () => void this.#showAccount())
    this.connect(servers[0])
  }

  async #showAccount() {
    const server = this.#server
    const shown = server && this.#accounts.signingIn(server.address)
    const wanted = shown?.forCall ? undefined : shown
    if (server && wanted !== this.#signingIn) {
      this.#signingIn = wanted
      fill(this.#signIn, wanted && signInToSee(wanted, plainLine(server.label, 100)))
      if (wanted) this.#tell("", t`Sign in to see what there is.`)
    }
    const account = server && (await this.#accounts.account(server.address).catch(() => undefined))
    if (server !== this.#server) return
    this.#account.hidden = !account
    if (server && account && this.#failed && !this.#accounts.signingIn(server.address)) void this.connect(server) // somebody has signed in for a call
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
    this.#failed = false
    this.#server = server
    this.#show()
    void this.#showAccount()
    if (!server) {
      fill(this.#status, t`There is no server: the page’s own server names them.`)
      return
    }
    const { signal } = (this.#asked = new AbortController())
    const host = new URL(server.address).host
    this.#tell("working", t`Connecting to ${host}…`)
    try {
      const found = await this.#sessions.use(server, (session) => offers(session, signal, true)) // the person wants to see whether it is there
      if (signal.aborted) return
      this.#offers = found
      this.#tell("good", found.length ? t`Connected to ${host}` : t`${host} offers nothing to call.`)
      this.#show()
    } catch (error) {
      if (signal.aborted) return
      this.#failed = true
      this.#tell("bad", t`No connection to ${host}.`, " ", el("button", { type: "button", class: "quiet", onclick: () => this.connect(server) }, t`Try again`))
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
      this.#offers.length > 0 && !matching.length && el("p", { class: "tip" }, this.#offers.length === 1 ? t`The only entry does not match.` : t`None of ${this.#offers.length} entries matches.`),
    )
    this.#showNotices()
  }

  #showNotices() {
    const more = this.#left.length - mostNotices
    fill(
      this.#notices,
      this.#left.slice(0, mostNotices).map((text) => el("p", { class: "tip" }, plainLine(text, 300))),
      more > 0 && el("p", { class: "tip" }, more === 1 ? t`There is 1 more of this in the browser’s log.` : t`There are ${more} more of these in the browser’s log.`),
    )
  }

  /** The session tells of what it leaves out of a list, and of more that is for the log alone. @param {Server} server @param {string} text @param {string} said in the person's language */
  warned({ address }, text, said) {
    if (address !== this.#server?.address || !text.startsWith("left out ") || this.#left.includes(said)) return
    this.#left.push(said)
    this.#showNotices()
  }

  /** @param {Offer} offer @param {string} name */
  #entry(offer, name) {
    const server = this.#server
    return el(
      "button",
      { type: "button", onclick: () => server && this.#does.pick(server, offer) },
      icon(name),
      el("span", { class: "title theirs" }, shownLine(offer.title, 80)),
      el("span", { class: "about theirs" }, shownLine(offer.description, 140)),
    )
  }
}

const groups = [
  { method: "tools/call", title: t`Tools` },
  { method: "prompts/get", title: t`Prompts` },
  { method: "resources/read", title: t`Resources` },
].map((group) => ({ ...group, name: kindIcon(group.method) }))
