// Who is signed in where. What it takes to sign in is loaded only when a server
// wants that.

import { PARK } from "@parley-mcp/parley"

import { t } from "../../shared-js/language.js"
import { NotNow, wanted, whyNot } from "../../shared-js/sign-in.js"
import { AccountBook } from "./account-book.js"
import { SigningIn } from "./sign-in.js"

/** @import { Answer, AskContext, Asker, Question } from "@parley-mcp/parley" */
/** @import { Account, AccountStore, SignIn } from "@parley-mcp/parley/oauth" */
/** @import { Server } from "../../shared-js/sessions.js" */
/** @import { AccountAt } from "../../shared-js/sign-in.js" */

/** @typedef {typeof import("./oauth.js")} Library */

/** A server, and what the page was registered as where people sign in to it. @typedef {Server & {clientId?: string}} Registered */

/** The page that the window comes back to. */
const callbackPage = "signed-in.html"

/** What a server's account is in the store when nobody is signed in. */
const nobody = '{"v":1,"clients":{}}'

/** How somebody signs in at one server: by a window, or by this page itself. @typedef {{byWindow: SignIn, byPage: SignIn}} Login */

/** It emits "change" when somebody has signed in or out, or is asked to without a call. */
export class Accounts extends EventTarget {
  #servers
  #book = new AccountBook()
  /** By the servers' addresses. @type {Map<string, Promise<Login>>} */
  #logins = new Map()
  /** Sign-ins by what they are asked for. @type {WeakMap<AskContext, SigningIn>} */
  #byContext = new WeakMap()
  /** What is on the screen, by address. @type {Map<string, SigningIn>} */
  #shown = new Map()
  /** The servers for whose sign-in this page is about to leave. @type {Set<string>} */
  #leaving = new Set()
  /** Why the last sign-in that this page left for came to nothing, by address. @type {Map<string, string>} */
  #problems = new Map()
  /** Where the policy of this page let nothing be sent to. @type {Set<string>} */
  #refused = new Set()
  /** @type {AccountStore | undefined} */
  #store
  /** Copies what is in the store into the one that is used from now on. @type {(() => Promise<void>) | undefined} */
  #move

  /** @param {Registered[]} servers */
  constructor(servers) {
    super()
    this.#servers = servers
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
      if (URL.canParse(blockedURI)) this.#refused.add(new URL(blockedURI).origin)
    })
  }

  /** Whether accounts are kept in this browser. */
  get keeps() {
    return this.#book.keeps
  }

  /** @param {Server} server @returns {AccountAt} */
  at(server) {
    return {
      account: async () => {
        const account = await this.account(server.address)
        return account && this.#book.entry(server.address, account)
      },
      authorize: (question, context, ask) => this.#authorize(server, question, context, ask),
    }
  }

  /** The Authorization header of the next request to a server. @param {string} address @param {AbortSignal} signal */
  async authorization(address, signal) {
    return this.#isKnown(address) ? (await this.#login(address)).byWindow.authorization(signal) : undefined
  }

  /** Who is signed in at a server. @param {string} address @returns {Promise<Account | undefined>} */
  async account(address) {
    return this.#isKnown(address) ? (await this.#login(address)).byWindow.account() : undefined
  }

  /** The sign-in at a server that is on the screen of this tab. @param {string} address */
  signingIn(address) {
    return this.#shown.get(address)
  }

  /** Signs out, and tells what became of the tokens. @param {string} address */
  async signOut(address) {
    const login = await this.#login(address)
    const out = await login.byWindow.signOut()
    this.#book.forget(address)
    this.#changed()
    return out
  }

  /** Chooses whether accounts outlast the page, tokens and all. @param {boolean} keeps */
  async keep(keeps) {
    await Promise.all(this.#servers.map(async ({ address }) => (await this.#login(address)).byWindow.account())) // so that all are known
    await this.#move?.()
    this.#book.keep(keeps)
    this.#changed()
  }

  /** Whether this page is about to leave, to sign in at a server. @param {string} address */
  isLeaving(address) {
    return this.#leaving.has(address)
  }

  /** Leaves, where a sign-in waits for it. @param {string} address */
  async leave(address) {
    if (this.#leaving.delete(address)) await (await this.#login(address)).byPage.leave()
  }

  /** Ends a sign-in that this page has come back from. */
  async returned() {
    if (!new URL(location.href).searchParams.has("state")) return
    for (const { address } of this.#servers) {
      try {
        if (await (await this.#login(address)).byPage.returned()) this.#changed()
      } catch (error) {
        this.#problems.set(address, whyNot(error))
      }
    }
    history.replaceState(null, "", location.pathname) // a code is nothing for the history
  }

  /** Nobody can be signed in who was not before: no need to load anything. @param {string} address */
  #isKnown(address) {
    return this.#logins.has(address) || (this.#book.keeps && this.#book.has(address))
  }

  /**
   * @param {Server} server @param {Question} question @param {AskContext} context @param {Asker} [ask]
   * @returns {Promise<Answer>}
   */
  async #authorize({ address }, question, context, ask) {
    const login = await this.#login(address)
    const wants = wanted(question)
    if (!(await login.byWindow.account())) wants.error = undefined // it may call no token one that has ended
    const done = new AbortController()
    const show = () => {
      this.#shown.set(address, signingIn)
      if (!ask) return this.#changed()
      const until = { signal: AbortSignal.any([context.signal, done.signal]) }
      const end = (/** @type {unknown} */ reason) => signingIn.end(reason)
      Promise.resolve(ask(question, until)).then(end, end)
    }
    const signingIn = new SigningIn(new URL(address).host, wants, ask !== undefined, show, this.#problems.get(address))
    this.#problems.delete(address)
    try {
      for (;;) {
        const tried = signingIn.try(context.signal)
        this.#byContext.set(tried, signingIn)
        const { leaves } = signingIn
        try {
          if (leaves) await login.byPage.authorization(context.signal) // it has to know what was refused
          const answer = await (leaves ? login.byPage : login.byWindow).authorize(question, tried)
          if (answer === PARK) {
            if (leaves) this.#leaving.add(address)
            if (!ask) setTimeout(() => void this.leave(address))
            return PARK
          }
          const account = await login.byWindow.account()
          if (!account) return answer
          const { label, replaces } = this.#book.entry(address, account)
          return { account: label, replaces }
        } catch (error) {
          if (signingIn.over) throw signingIn.over.reason
          if (context.signal.aborted || !signingIn.asked) throw error
          signingIn.again(error, whyNot)
        }
      }
    } finally {
      done.abort()
      if (this.#shown.get(address) === signingIn) this.#shown.delete(address)
      this.#changed()
    }
  }

  /** @param {string} address @returns {Promise<Login>} */
  #login(address) {
    let login = this.#logins.get(address)
    if (!login) this.#logins.set(address, (login = this.#newLogin(address)))
    login.catch(() => this.#logins.delete(address)) // it could not be loaded
    return login
  }

  /** @param {string} address @returns {Promise<Login>} */
  async #newLogin(address) {
    const library = await import("./oauth.js")
    const store = (this.#store ??= this.#newStore(library))
    /** @type {SigningIn | undefined} */
    let now
    /** @type {Parameters<Library["signIn"]>[0]} */
    const options = {
      url: address,
      store,
      clientId: this.#servers.find((server) => server.address === address)?.clientId,
      clientName: "Parley in the browser",
      fetch: (to, init) => this.#fetch(library, to, init),
      ask(prompt, context) {
        now = byContext.get(context)
        return now?.ask(prompt, context.signal)
      },
      change(change, { signal }) {
        if (!now) throw new NotNow()
        return now.change(change, signal)
      },
      open: (page, { signal }) => now?.open(page, signal),
    }
    const byContext = this.#byContext
    return {
      byWindow: library.signIn({ ...options, redirectUri: callbackPage }),
      byPage: library.signIn({ ...options, redirect: true }),
    }
  }

  /** In memory, or in the browser's database where the person has chosen that. @param {Library} library @returns {AccountStore} */
  #newStore({ memoryAccounts, indexedDBAccounts }) {
    const memory = memoryAccounts()
    const database = indexedDBAccounts({ name: "parley-chat-accounts" })
    const place = () => (this.#book.keeps ? database : memory)
    /** @type {Set<string>} */
    const keys = new Set()
    this.#move = async () => {
      const [from, to] = this.#book.keeps ? [database, memory] : [memory, database]
      for (const key of keys) {
        await to.set(key, (await from.get(key)) ?? nobody)
        await from.set(key, nobody)
      }
    }
    return {
      get: (key) => (keys.add(key), place().get(key)),
      set: (key, text) => (keys.add(key), place().set(key, text)),
    }
  }

  /** Tells what the page's own policy does not allow from what is not there. @param {Library} library @param {Parameters<typeof fetch>[0]} to @param {RequestInit} [init] */
  async #fetch({ SignInError }, to, init) {
    try {
      return await fetch(to, init)
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve)) // the violation is told after it
      const { origin, host } = new URL(String(to))
      if (!this.#refused.has(origin)) throw error
      const words = t`this page may not send anything to ${host}, where you would sign in: whoever runs the page has to allow it`
      throw Object.assign(new SignInError("unreachable", words), { ours: true })
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"))
  }
}
