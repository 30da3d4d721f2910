// What is loaded when somebody signs in, and no more of it, so that a bundler can
// leave out the rest.
export { indexedDBAccounts, memoryAccounts, signIn, SignInError } from "@parley-mcp/parley/oauth"
