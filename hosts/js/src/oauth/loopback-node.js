import { once } from "node:events"
import { createServer } from "node:http"

import { SignInError } from "./error.js"

/** @import { AddressInfo } from "node:net" */
/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { Callback, CallbackWanted } from "./contract.js" */

const path = "/callback"

/** What a browser may keep open, without a request, when all is over, in milliseconds. */
const patience = 1000

/**
 * Waits for the answer on 127.0.0.1, as RFC 8252, 7.3, has it. It is good for
 * one answer; whoever else knocks, without the state, changes nothing.
 *
 * @param {CallbackWanted & {port?: number}} wanted @returns {Promise<Callback>}
 */
export async function loopback({ state, last, port }) {
  const server = createServer()
  await listen(server, port ?? lastPort(last), port === undefined)
  const { port: own } = /** @type {AddressInfo} */ (server.address())
  const host = `127.0.0.1:${own}`
  const redirectUri = `http://${host}${path}`
  let answered = false
  /** @type {Promise<string>} */
  const response = new Promise((resolve) => {
    server.on("request", (request, response) => {
      const url = addressed(request, redirectUri)
      if (!url || request.headers.host !== host || url.host !== host || request.method !== "GET" || url.pathname !== path) return page(response, 404, "There is nothing here.")
      if (answered || url.searchParams.get("state") !== state) return page(response, 400, "This is not the answer to a sign-in that was begun here. Nothing was changed.")
      answered = true
      page(response, 200, url.searchParams.has("error") ? "The sign-in did not succeed. You can close this window; the program says more." : "You can close this window and go back to the program.")
      response.on("close", () => resolve(url.href))
    })
  })
  return {
    redirectUri,
    response,
    close() {
      server.close()
      setTimeout(() => server.closeAllConnections(), patience).unref()
      server.closeIdleConnections()
    },
  }
}

/** The URL of a request; undefined for one that is none, which anybody on this machine can send. @param {IncomingMessage} request @param {string} base */
function addressed({ url = "" }, base) {
  return URL.canParse(url, base) ? new URL(url, base) : undefined
}

/** The port that a client has registered, so that it need not do so again. @param {string} [redirectUri] */
function lastPort(redirectUri) {
  const { hostname, port } = new URL(redirectUri ?? "http://none")
  return hostname === "127.0.0.1" ? Number(port) : 0
}

/** @param {import("node:http").Server} server @param {number} port @param {boolean} any may it be another? */
async function listen(server, port, any) {
  try {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
  } catch (cause) {
    if (any && port) return listen(server, 0, false)
    throw Object.assign(new SignInError("callback", `the answer of the authorization server cannot be waited for on port ${port} of 127.0.0.1: is something else there?`), { cause })
  }
}

/** @param {ServerResponse} response @param {number} status @param {string} text */
function page(response, status, text) {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  })
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><p>${text}</p></html>\n`)
}
