export { bearer } from "./bearer.js"
export { SignInError } from "./error.js"
export { indexedDBAccounts } from "./accounts-indexeddb.js"
export { clientCredentials, enterprise, identityAssertion } from "./machine.js"
export { signIn, signInCallback } from "./page.js"
export { provider } from "./provider.js"
export { memoryAccounts } from "./accounts.js"

/**
 * @typedef {import("./accounts.js").Account} Account
 * @typedef {import("./accounts.js").AccountStore} AccountStore
 * @typedef {import("./machine.js").AssertionWanted} AssertionWanted
 * @typedef {import("./provider.js").AuthProvider} AuthProvider
 * @typedef {import("./contract.js").Callback} Callback
 * @typedef {import("./contract.js").CallbackWanted} CallbackWanted
 * @typedef {import("./contract.js").Change} Change
 * @typedef {import("./provider.js").ChallengeContext} ChallengeContext
 * @typedef {import("./contract.js").Credentials} Credentials
 * @typedef {import("./machine.js").MachineOptions} MachineOptions
 * @typedef {import("./provider.js").OAuthClientProvider} OAuthClientProvider
 * @typedef {import("./contract.js").Prompt} Prompt
 * @typedef {import("./provider.js").ProviderOptions} ProviderOptions
 * @typedef {import("./error.js").Reason} Reason
 * @typedef {import("./contract.js").SignedOut} SignedOut
 * @typedef {import("./contract.js").SignIn} SignIn
 * @typedef {import("./contract.js").SignInOptions} SignInOptions
 * @typedef {import("./contract.js").SignInPage} SignInPage
 */
