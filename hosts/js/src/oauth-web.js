export { bearer } from "./oauth-bearer.js"
export { SignInError } from "./oauth-error.js"
export { indexedDBAccounts } from "./oauth-indexeddb.js"
export { clientCredentials, enterprise, identityAssertion } from "./oauth-machine.js"
export { signIn, signInCallback } from "./oauth-page.js"
export { provider } from "./oauth-provider.js"
export { memoryAccounts } from "./oauth-store.js"

/**
 * @typedef {import("./oauth-store.js").Account} Account
 * @typedef {import("./oauth-store.js").AccountStore} AccountStore
 * @typedef {import("./oauth-machine.js").AssertionWanted} AssertionWanted
 * @typedef {import("./oauth-provider.js").AuthProvider} AuthProvider
 * @typedef {import("./oauth.js").Callback} Callback
 * @typedef {import("./oauth.js").CallbackWanted} CallbackWanted
 * @typedef {import("./oauth.js").Change} Change
 * @typedef {import("./oauth-provider.js").ChallengeContext} ChallengeContext
 * @typedef {import("./oauth.js").Credentials} Credentials
 * @typedef {import("./oauth-machine.js").MachineOptions} MachineOptions
 * @typedef {import("./oauth-provider.js").OAuthClientProvider} OAuthClientProvider
 * @typedef {import("./oauth.js").Prompt} Prompt
 * @typedef {import("./oauth-provider.js").ProviderOptions} ProviderOptions
 * @typedef {import("./oauth-error.js").Reason} Reason
 * @typedef {import("./oauth.js").SignedOut} SignedOut
 * @typedef {import("./oauth.js").SignIn} SignIn
 * @typedef {import("./oauth.js").SignInOptions} SignInOptions
 * @typedef {import("./oauth.js").SignInPage} SignInPage
 */
