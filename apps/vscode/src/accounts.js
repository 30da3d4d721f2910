// Who is signed in where. Accounts and their tokens are among VS Code's secrets;
// nothing of them is in a setting, a file of ours or the log.

import { PARK, TakenError } from "@parley-mcp/parley/core"
import { signIn } from "@parley-mcp/parley/oauth"

import { NotNow, wanted } from "../../shared-js/sign-in.js"

/** @import { Answer, Asker, AskContext, ParkingStore, Question } from "@parley-mcp/parley" */
/** @import { Account, AccountStore, Change, Callback, CallbackWanted, SignIn, SignInError, SignInPage } from "@parley-mcp/parley/oauth" */
/** @import { SecretStorage } from "vscode" */
/** @import { AccountAt } from "../../shared-js/sign-in.js" */
/** @import { Server } from "./servers.js" */
/** @import { Tokens } from "./tokens.js" */

/** A server that is reached over HTTP. @typedef {Extract<Server, {url: string}>} Remote */

/** What is asked before a sign-in. `refused` says that there is an access token, which the server does not accept; `over` is why the last sign-in is over. @typedef {ReturnType<typeof wanted> & {host: string, refused?: boolean, over?: SignInError}} Wanted */

/**
 * What a sign-in asks: whether at all, whether elsewhere than before, and then where. `opened` says that the
 * page was opened once.
 *
 * @typedef {{wanted: Wanted, change?: undefined, page?: undefined} | {wanted?: undefined, change: Change, page?: undefined}
 *   | {wanted?: undefined, change?: undefined, page: SignInPage, opened?: boolean}} SignInStep
 */

/** That the person wants to sign in. */
export const YES = "yes"

/** That an access token was given in place of a sign-in. */
export const TOKEN = "token"

/**
 * Puts a step to the person, in the middle of whatever they do. It throws if
 * they do not want to. PARK is an answer and, before a sign-in, TOKEN.
 *
 * @typedef {(step: SignInStep, signal: AbortSignal) => Answer | PromiseLike<Answer>} Put
 */

/** How long to wait for another window that has an account, in milliseconds. */
const pause = 100

export class Accounts {
  #tokens
  #callback
  #store
  #alone
  /** By the addresses of servers. @type {Map<string, {login: SignIn, put?: Put}>} */
  #logins = new Map()
  /** How the person is asked in the questions that are open. @type {Map<AbortSignal, Put>} */
  #puts = new Map()

  /**
   * @param {{secrets: SecretStorage, tokens: Tokens, locks: ParkingStore, callback: (wanted: CallbackWanted) => Promise<Callback>, alone: (server: Remote) => Put}} options
   *   `alone` asks the person where there is no call
   */
  constructor({ secrets, tokens, locks, callback, alone }) {
    this.#tokens = tokens
    this.#callback = callback
    this.#store = accountStore(secrets, locks)
    this.#alone = alone
  }

  /** The value of the Authorization header for a request: a token that the person gave comes before an account. @param {Remote} server @param {AbortSignal} [signal] */
  async authorization(server, signal) {
    return (await this.#tokens.authorization(server.url)) ?? this.#of(server).login.authorization(signal)
  }

  /** Who is signed in at a server, for its sessions. @param {Server} server @returns {AccountAt | undefined} */
  at(server) {
    if (server.url === undefined) return
    return {
      account: async () => ((await this.#tokens.authorization(server.url)) ? undefined : this.account(server)),
      authorize: (question, context, ask) => this.#authorize(server, question, context, ask ? puts(question, ask) : this.#alone(server)),
    }
  }

  /** @param {Remote} server @param {Question} question @param {AskContext} context @param {Put} put @returns {Promise<Answer>} */
  async #authorize(server, question, { signal: outer }, put) {
    const signal = AbortSignal.any([outer]) // tells this question from every other
    let asks = put
    if (await this.#tokens.authorization(server.url)) {
      const answer = await put({ wanted: { ...wanted(question), host: new URL(server.url).host, refused: true } }, signal)
      if (answer === PARK) return PARK
      if (answer === TOKEN) return {}
      await this.#tokens.forget(server.url)
      asks = saidYes(put)
    }
    this.#puts.set(signal, asks)
    try {
      return await this.#of(server).login.authorize(question, { signal })
    } catch (error) {
      if (error === TOKEN) return {}
      throw error
    } finally {
      this.#puts.delete(signal)
    }
  }

  /** Signs in without being asked to. @param {Remote} server @param {AbortSignal} signal */
  async signIn(server, signal) {
    const question = /** @type {Question} */ ({ kind: "authorize", params: JSON.stringify({ status: 401 }) })
    await this.#tokens.forget(server.url)
    await this.#authorize(server, question, { signal }, saidYes(this.#alone(server)))
    return this.account(server)
  }

  /** Who is signed in. @param {Server} server @returns {Promise<Account | undefined>} */
  async account(server) {
    return server.url === undefined ? undefined : this.#of(server).login.account()
  }

  /** Forgets an account; true if the authorization server revoked its tokens. @param {Remote} server */
  signOut(server) {
    return this.#of(server).login.signOut()
  }

  /** @param {Remote} server */
  #of({ url, clientId }) {
    const key = JSON.stringify([url, clientId])
    const known = this.#logins.get(key)
    if (known) return known
    // Sign-ins at a server come one after the other, so who is asked is who is shown the page.
    /** @type {{login: SignIn, put?: Put}} */
    const entry = {
      login: signIn({
        url,
        clientId,
        clientName: "Parley for VS Code",
        store: this.#store,
        callback: this.#callback,
        ask: async ({ host, status, scopes, error, over }, { signal }) => {
          entry.put = this.#puts.get(signal)
          const last = await entry.login.account() // some servers say invalid_token where there was none
          const answer = await entry.put?.({ wanted: { host, status, scopes, error: last && error, over } }, signal)
          if (answer === TOKEN) throw TOKEN
          return answer
        },
        change(change, { signal }) {
          if (!entry.put) throw new NotNow()
          return entry.put({ change }, signal)
        },
        open: (page, { signal }) => entry.put?.({ page }, signal),
      }),
    }
    this.#logins.set(key, entry)
    return entry
  }
}

/** By a call's asker, which keeps its questions. @param {Question} question @param {Asker} ask @returns {Put} */
function puts(question, ask) {
  return (step, signal) => ask(/** @type {Question} */ ({ ...question, step }), { signal })
}

/** Where it is clear that the person wants to sign in. @param {Put} put @returns {Put} */
function saidYes(put) {
  return (step, signal) => (step.wanted ? YES : put(step, signal))
}

/**
 * Accounts among VS Code's secrets. The windows on a machine share them, so
 * there are locks in a folder that they share, too: of two that refresh one
 * token at once, one would lose it.
 *
 * @param {Pick<SecretStorage, "get" | "store">} secrets @param {ParkingStore} locks
 * @returns {AccountStore}
 */
export function accountStore(secrets, locks) {
  return {
    get: (key) => Promise.resolve(secrets.get(key)),
    set: (key, text) => secrets.store(key, text),
    async lock(key, run) {
      const lease = await held(locks, await idOf(key))
      lease.keep().catch(() => {}) // whoever sees it lapse has waited long enough
      try {
        return await run()
      } finally {
        await lease.release()
      }
    },
  }
}

/** @param {ParkingStore} locks @param {string} id */
async function held(locks, id) {
  for (;;) {
    try {
      return await locks.create(id)
    } catch (error) {
      if (!(error instanceof TakenError)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** A name for a file, which does not say whose. @param {string} key */
async function idOf(key) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
