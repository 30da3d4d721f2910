import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { signedOut, whyNot } from "../../shared-js/sign-in.js"
import { el, fill, newId } from "./element.js"
import { shownLine } from "./shown.js"

/** @import { Account } from "@parley-mcp/parley/oauth" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Server, Sessions } from "../../shared-js/sessions.js" */

/** Who is signed in at a server, and signing out. */
export class AccountDialog {
  #accounts
  #sessions
  #title = el("h2", { id: newId("account"), tabindex: -1 })
  #body = el("div", { class: "account-facts" })
  #told = el("p", { class: "told", role: "status", hidden: true })
  #actions = el("div", { class: "answers" })
  /** @type {Server | undefined} */
  #server

  /** @type {HTMLDialogElement} */
  element

  /** @param {Accounts} accounts @param {Sessions<Server>} sessions */
  constructor(accounts, sessions) {
    this.#accounts = accounts
    this.#sessions = sessions
    const close = el("form", { method: "dialog" }, el("button", {}, t`Close`))
    this.element = el(
      "dialog",
      { "aria-labelledby": this.#title.id, class: "settings" },
      el("div", {}, this.#title, this.#body, this.#told, el("div", { class: "answers" }, this.#actions, close)),
    )
  }

  /** @param {Server} server */
  async open(server) {
    this.#server = server
    const account = await this.#accounts.account(server.address)
    this.#tell("")
    this.#show(account)
    this.element.showModal()
  }

  /** @param {Account} [account] */
  #show(account) {
    const server = /** @type {Server} */ (this.#server)
    const name = plainLine(server.label, 100)
    fill(this.#title, account ? t`Signed in to ${name}` : t`Not signed in to ${name}`)
    fill(this.#body, account && [facts(account), this.#keeping()])
    fill(this.#actions, account && el("button", { type: "button", class: "primary", onclick: () => void this.#signOut(server, account) }, t`Sign out`))
  }

  /** The choice between memory and the browser's database. */
  #keeping() {
    const about = newId("about")
    const box = el("input", { type: "checkbox", "aria-describedby": about })
    box.checked = this.#accounts.keeps
    box.addEventListener("change", async () => {
      box.disabled = true
      await this.#accounts.keep(box.checked).catch((error) => this.#tell(whyNot(error)))
      box.checked = this.#accounts.keeps
      box.disabled = false
    })
    const words = t`Otherwise reloading the page signs you out. Whoever can use this browser, or run code on this page, can then be you at every server that you are signed in to.`
    return el("label", { class: "option" }, box, el("span", {}, t`Stay signed in in this browser`, el("small", { id: about }, words)))
  }

  /** @param {Server} server @param {Account} account */
  async #signOut({ address }, { issuer }) {
    const { host } = new URL(issuer)
    this.#actions.inert = true
    try {
      const out = await this.#accounts.signOut(address)
      this.#sessions.leave(address)
      this.#show()
      this.#tell(signedOut(host, out))
    } catch (error) {
      this.#tell(whyNot(error))
    }
    this.#actions.inert = false
    this.#title.focus()
  }

  /** @param {string} words */
  #tell(words) {
    this.#told.hidden = words === ""
    this.#told.textContent = words
  }
}

/** What is known of an account. @param {Account} account */
function facts({ issuer, subject, scopes }) {
  return el(
    "dl",
    { class: "lines" },
    fact(t`At`, el("strong", { class: "host" }, plainLine(new URL(issuer).host, 200))),
    subject !== undefined && fact(t`As`, el("span", { class: "theirs" }, shownLine(subject, 120))),
    fact(t`May`, scopes.length ? scopes.map((scope) => el("code", { class: "theirs scope" }, shownLine(scope, 80))) : el("span", { class: "ours" }, t`It did not say.`)),
  )
}

/** @param {string} name @param {import("./element.js").Child} value */
function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value))
}
