import { challengeOf } from "./challenge.js"
import { SignInError } from "./error.js"
import { sender } from "./http.js"
import { spelledReach } from "./private-network.js"
import { granted, sameScopes } from "./scopes.js"
import { memoryAccounts, Shelf } from "./accounts.js"
import { Refusal, refuses, revoke } from "./tokens.js"
import { withoutPrefix } from "../texts/plain.js"
import { newId } from "../store/parking.js"

/** @import { Answer, AskContext, Question } from "../calls/askers.js" */
/** @import { Challenge } from "./challenge.js" */
/** @import { Client } from "./client.js" */
/** @import { SignedOut } from "./contract.js" */
/** @import { Send } from "./http.js" */
/** @import { Account, AccountStore, Kept, Session } from "./accounts.js" */
/** @import { Place, Tokens } from "./tokens.js" */

/**
 * How tokens are got.
 *
 * @typedef {object} Means
 * @property {(challenge: Challenge, context: AskContext) => Promise<Answer>} obtain signs in anew, and keeps the account
 * @property {(send: Send, place: Place, session: Session) => Promise<Tokens> | undefined} renew gets a new token without anybody; undefined if that cannot be
 */

/** @typedef {{url: string | URL, store?: AccountStore, clientSecret?: string, clientKey?: CryptoKey, fetch?: typeof fetch, timeout?: number}} HolderOptions */

/** How long before its end a token is renewed at most, in milliseconds; a tenth of its life at most. */
const early = 30_000

/** A token that came without a person, and is refused within this time, is not renewed once more but somebody asked. In milliseconds. */
const fresh = 60_000

/** Holds the account of one MCP server: gives its token to each request, and answers challenges. */
export class Holder {
  #options
  #means
  #shelf
  /** The token that the last request got. @type {string | undefined} */
  #given
  /** The last one that came without a person. @type {{access: string, until: number} | undefined} */
  #silent
  /** Why what was signed in is over, if the authorization server said so. @type {SignInError | undefined} */
  over
  /** Authorization servers, each with scopes that it has refused. @type {Set<string>} */
  refused = new Set()
  /** Challenges wait for each other: one sign-in may answer several. @type {Promise<unknown>} */
  #last = Promise.resolve()

  /** @param {HolderOptions} options @param {Means} means */
  constructor(options, means) {
    this.server = new URL(options.url)
    this.#options = options
    this.#means = means
    this.#shelf = new Shelf(options.store ?? memoryAccounts(), this.server)
  }

  /** @param {AbortSignal} [signal] */
  send(signal) {
    return sender({ ...this.#options, fetch: this.#options.fetch ?? spelledReach(this.server) }, signal)
  }

  /** @returns {Promise<Kept>} */
  kept() {
    return this.#shelf.read()
  }

  /** @param {AbortSignal} [signal] @returns {Promise<string | undefined>} */
  async authorization(signal) {
    let { session } = await this.#shelf.read()
    if (session?.due && session.due <= Date.now()) {
      try {
        session = await this.#renewed(session.access, signal)
      } catch (error) {
        if (signal?.aborted || (session?.expires ?? 0) <= Date.now()) throw error
      }
    }
    this.#given = session?.access
    return session && `Bearer ${session.access}`
  }

  /** @param {Question} question @param {AskContext} context @returns {Promise<Answer>} */
  authorize(question, context) {
    const turn = this.#last.then(() => {
      context.signal.throwIfAborted()
      return this.#answer(challengeOf(question), context)
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  /** @param {Challenge} challenge @param {AskContext} context @returns {Promise<Answer>} */
  async #answer(challenge, context) {
    const { host } = this.server
    const { session } = await this.#shelf.read()
    if (session) {
      const covered = granted(challenge.scopes, session.scopes)
      if (session.access !== this.#given && covered) return answerOf(session) // by another call, or another tab
      if (challenge.status === 403 && covered) {
        const words = challenge.scopes.length ? `the scope ${challenge.scopes.join(" ")}, which was granted already` : "more rights and does not say which"
        throw new SignInError("scope", `${host} wants ${words}: signing in again would not help`)
      }
      const again = this.#silent?.access === session.access && this.#silent.until > Date.now()
      if (challenge.status === 401 && !again) {
        const renewed = await this.#renewed(session.access, context.signal)
        if (renewed && renewed.access !== session.access) {
          this.#silent = { access: renewed.access, until: Date.now() + fresh }
          return answerOf(renewed)
        }
      }
    }
    return this.#means.obtain(challenge, context)
  }

  /**
   * The session with another token than the one given, if there is one without
   * a person. It reads again what is kept, since somebody else may have renewed
   * it: a refresh token is often good for once.
   *
   * @param {string} access @param {AbortSignal} [signal]
   * @returns {Promise<Session | undefined>}
   */
  #renewed(access, signal) {
    return this.#shelf.change(async (kept) => {
      const { session } = kept
      if (!session || session.access !== access) return session
      try {
        const tokens = await this.#means.renew(this.send(signal), this.#place(session), session)
        if (tokens) renewed(session, tokens)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const now = (await this.#shelf.read()).session // of a store without a lock
        if (now && now.access !== access) return (kept.session = now)
        this.over = error
        if (refuses(error, "invalid_client")) drop(kept.clients, session.server.issuer)
        delete session.refresh
        delete session.due
      }
      return session
    })
  }

  /**
   * Keeps what a sign-in has brought. Who signs in again at the same server for
   * the same resource keeps the label, unless it is seen to be somebody else.
   *
   * @param {Place & {replaces?: string[]}} place @param {string[]} asked @param {Tokens} tokens
   */
  keep({ server, client: { secret, ...open }, resource, replaces }, asked, tokens) {
    const client = open.how === "given" ? open : { ...open, secret } // what was configured is the host's to keep
    return this.#shelf.change((kept) => {
      const { session } = kept
      const same = session?.server.issuer === server.issuer && session.resource === resource && sameClient(session.client, client)
      const other = session?.subject !== undefined && tokens.subject !== undefined && session.subject !== tokens.subject
      const who = session && same && !other ? { label: session.label, replaces: session.replaces } : { label: newId(), replaces }
      kept.session = renewed({ ...who, server, client, resource, scopes: asked, access: "" }, tokens)
      if (!sameScopes(asked, tokens.scopes)) kept.session.asked = asked
      kept.clients[server.issuer] = client
      this.over = undefined
      return account(kept.session)
    })
  }

  /** Forgets a client that has registered itself: nobody got in with it, and the server may have forgotten it, too. @param {string} issuer */
  forget(issuer) {
    return this.#shelf.change(({ clients }) => drop(clients, issuer))
  }

  /** @param {Session} session @returns {Place} */
  #place({ server, client, resource }) {
    const { clientSecret, clientKey } = this.#options
    return { server, client: client.how === "given" ? { ...client, secret: clientSecret } : client, resource, key: clientKey }
  }

  /** @returns {Promise<Account | undefined>} */
  async account() {
    const { session } = await this.#shelf.read()
    return session && account(session)
  }

  /** @param {{signal?: AbortSignal}} [options] @returns {Promise<SignedOut>} */
  async signOut({ signal } = {}) {
    const session = await this.#shelf.change((kept) => {
      const { session } = kept
      delete kept.session
      return session
    })
    this.#given = this.#silent = this.over = undefined
    if (!session?.server.revocation_endpoint) return { revoked: false }
    const done = [session.refresh, session.access].map((token) => token && revoke(this.send(signal), this.#place(session), token).catch(({ message }) => withoutPrefix(message)))
    const why = (await Promise.all(done)).find(Boolean)
    return why ? { revoked: false, why } : { revoked: true }
  }
}

/** @param {Session} session @param {Tokens} tokens @returns {Session} */
function renewed(session, { access, refresh, lifetime, scopes, subject }) {
  const now = Date.now()
  Object.assign(session, { access, refresh: refresh ?? session.refresh, scopes, subject: subject ?? session.subject })
  session.expires = lifetime && now + lifetime
  session.due = lifetime && now + lifetime - Math.min(early, lifetime / 10)
  return session
}

/** Forgets a client that has registered itself. @param {Record<string, Client>} clients @param {string} issuer */
function drop(clients, issuer) {
  if (clients[issuer]?.how === "registered") delete clients[issuer]
}

/** One that registers itself may get a new id each time. @param {Client} one @param {Client} other */
function sameClient(one, other) {
  return one.how === other.how && (one.how === "registered" || one.id === other.id)
}

/** @param {Session} session @returns {Account} */
export function account({ label, server, resource, client, scopes, subject, replaces }) {
  return { label, issuer: server.issuer, resource, clientId: client.id, scopes, subject, replaces }
}

/** The answer to a challenge. @param {Pick<Account, "label" | "replaces">} account @returns {Answer} */
export function answerOf({ label, replaces }) {
  return { account: label, replaces }
}
