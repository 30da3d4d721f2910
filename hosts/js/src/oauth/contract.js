/** @import { Answer, AskContext, Question } from "../calls/askers.js" */
/** @import { SignInError } from "./error.js" */
/** @import { Account, AccountStore } from "./accounts.js" */

/**
 * What a session needs to be let in: `authorization` goes to fetchTransport,
 * `authorize` is the asker of that name.
 *
 * @typedef {object} Credentials
 * @property {(signal?: AbortSignal) => Promise<string | undefined>} authorization
 *   the value of the Authorization header for the next request; undefined for none. A token that is about to end is
 *   refreshed first. It rejects if the request must not go out
 * @property {(question: Question, context: AskContext) => Promise<Answer>} authorize
 *   answers a challenge: `{account}`, or PARK. It rejects with a SignInError, which says what to do
 */

/**
 * A sign-in at one server, for as long as the host runs.
 *
 * @typedef {object} AccountHolder
 * @property {() => Promise<Account | undefined>} account who is signed in
 * @property {(options?: {signal?: AbortSignal}) => Promise<SignedOut>} signOut
 *   forgets the account, and has its tokens revoked
 * @property {() => Promise<boolean>} leave
 *   in a page, with the option `redirect`, once the call is parked and kept: takes the page to the authorization
 *   server. False if no sign-in waits for it
 * @property {(options?: {signal?: AbortSignal}) => Promise<Account | undefined>} returned
 *   in a page, with the option `redirect`, when it loads: ends a sign-in that the page has come back from, after which
 *   the parked call can be resumed. undefined if it comes from elsewhere
 */

/** @typedef {Credentials & AccountHolder} SignIn */

/** What became of the tokens of an account that was forgotten: `why` says for a person why they were not revoked, if the authorization server said so. @typedef {{revoked: boolean, why?: string}} SignedOut */

/**
 * What is known before anything was looked up: "Sign in to HOST?".
 *
 * @typedef {object} Prompt
 * @property {string} url of the MCP server
 * @property {string} host of it, to be shown
 * @property {401 | 403} status 401: nobody is signed in, or not any more; 403: more has to be allowed
 * @property {string[]} scopes what the server says it wants; may be empty
 * @property {string} [error] the code that the server gave, such as `insufficient_scope`
 * @property {SignInError} [over] why the last sign-in is over, if the authorization server said why when its token was to be renewed
 * @property {() => boolean} open
 *   in a page, for the handler of the click that says yes: opens the window of the sign-in, still empty, and is false if
 *   the browser did not let it. Elsewhere it does nothing, and is true
 */

/**
 * An MCP server has another authorization server than before.
 *
 * @typedef {object} Change
 * @property {string} host of the MCP server, to be shown
 * @property {Account} account at the authorization server that it had
 * @property {string} issuer the authorization server that it has now
 */

/**
 * Where the person signs in, known after discovery.
 *
 * @typedef {object} SignInPage
 * @property {string} url to be opened
 * @property {string} host of it, to be shown: who has it sees the password
 * @property {string} issuer the authorization server
 * @property {string} resource what the token will be for
 * @property {string[]} scopes what will be asked for
 * @property {() => boolean} follow
 *   in a page, brings the window to the url. It opens one if there is none, for which it has to be called in the handler
 *   of a click, and is false if the browser did not let it. Elsewhere it does nothing, and is false
 */

/**
 * Where the authorization server sends the person back to.
 *
 * @typedef {object} Callback
 * @property {string} redirectUri
 * @property {Promise<string | URL | symbol>} response the URL that was called, with its query; or PARK, if that is seen to elsewhere
 * @property {(signedIn: boolean) => void} [close] ends it
 */

/** Of an application, as it registers itself: on a device, or a site. @typedef {"native" | "web"} ApplicationType */

/**
 * What is wanted of a callback. `last` is the redirect URI registered before, if there is one.
 *
 * @typedef {{state: string, last?: string, signal: AbortSignal}} CallbackWanted
 */

/**
 * @typedef {object} SignInOptions
 * @property {string | URL} url of the MCP server, as given to fetchTransport
 * @property {AccountStore} [store] where the account is kept; in memory if absent
 * @property {string} [clientId] of a client that was registered beforehand
 * @property {string} [clientSecret] of that client; not for pages, where everybody can read it
 * @property {string} [issuer] the one authorization server that clientId belongs to
 * @property {string} [clientMetadataUrl] where a document describes this client (https), for authorization servers that read it
 * @property {string} [clientName] what this client is called where it registers itself; "Parley" if absent
 * @property {(prompt: Prompt, context: AskContext) => unknown} [ask]
 *   asks whether to sign in at all: resolves to go on, throws to refuse, returns or throws PARK to park
 * @property {(change: Change, context: AskContext) => unknown} [change]
 *   asks whether to sign in at another authorization server than the account's, because the MCP server names another. If
 *   it resolves, calls of the account continue as the new one; it throws to refuse, returns or throws PARK to park. If
 *   absent, nobody is asked, and calls of the account that was there fail
 * @property {(issuers: string[], context: AskContext) => string | Promise<string>} [choose]
 *   chooses from several authorization servers; if absent, the one of the account or else the first
 * @property {(page: SignInPage, context: AskContext) => unknown} [open]
 *   shows the host, and opens or prints the url. It may return, or stay until `signal` aborts; throwing refuses as long
 *   as the answer has not come, PARK parks. If absent, `follow` is called in a page, and elsewhere nobody can sign in
 * @property {(wanted: CallbackWanted) => Callback | Promise<Callback>} [callback] for hosts that have a place of their own for the answer
 * @property {ApplicationType} [applicationType] with such a callback; "native" if absent
 * @property {string} [redirectUri] in a page: where signInCallback is called, of the page's own origin; the page itself if absent
 * @property {boolean} [redirect] in a page: there is no window, but the call is parked, and `leave` takes the page itself there
 * @property {number} [callbackPort] in Node: the port on 127.0.0.1; any if absent
 * @property {string} [version] "2025-03-26" for a server that is known to speak no later version: it may go without metadata
 * @property {typeof fetch} [fetch] makes the requests, and decides alone where they may go. If absent, none goes into the private network unless the server is in there
 * @property {number} [timeout] of each request to an authorization server, in milliseconds; 30,000 if absent
 */
export {}
