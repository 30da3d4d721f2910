import { webcrypto } from "node:crypto"

import { clientCredentials, enterprise, identityAssertion, signIn } from "../../../../hosts/js/dist/oauth/node.js"

/**
 * What the suite gives a client to sign in with.
 *
 * @typedef {object} Given the MCP_CONFORMANCE_CONTEXT of auth/…
 * @property {string} [client_id]
 * @property {string} [client_secret]
 * @property {string} [issuer] the authorization server that they are for
 * @property {string} [private_key_pem]
 * @property {string} [signing_algorithm]
 * @property {string} [idp_client_id]
 * @property {string} [idp_id_token]
 * @property {string} [idp_token_endpoint]
 */

/** Where the suite takes it that this client is described. */
const clientMetadataUrl = "https://conformance-test.local/client-metadata.json"

/**
 * How to sign in: as the program itself, if the suite gives it what only that
 * needs, or else as a person, who says yes to everything.
 *
 * @param {string} url @param {string} scenario @param {Given} given
 */
export async function signInAs(url, scenario, { client_id: clientId = "", client_secret: clientSecret, issuer, ...given }) {
  const { idp_token_endpoint: tokenEndpoint, idp_client_id: idpClient = "", idp_id_token: idToken = "" } = given
  if (tokenEndpoint) {
    return enterprise({ url, clientId, clientSecret, issuer, assertion: (wanted) => identityAssertion({ tokenEndpoint, clientId: idpClient, idToken }, wanted) })
  }
  if (scenario.startsWith("auth/client-credentials")) {
    const clientKey = given.private_key_pem ? await privateKey(given.private_key_pem, given.signing_algorithm) : undefined
    return clientCredentials({ url, clientId, clientSecret, clientKey, issuer })
  }
  return signIn({
    url,
    ...(clientId && { clientId, clientSecret, issuer }),
    clientMetadataUrl,
    clientName: "parley-conformance-client",
    ask: ({ host, status, scopes }) => console.log(`sign in to ${host}? (${[status, ...scopes].join(" ")})`),
    open: (page) => {
      console.log("signing in at", page.host)
      return browse(page.url)
    },
  })
}

/** A browser with a person who says yes. @param {string} url */
async function browse(url) {
  const response = await fetch(url, { redirect: "manual" })
  const next = response.headers.get("Location")
  if (!next) throw new Error(`the authorization server shows a page, with status ${response.status}`)
  await fetch(next)
}

/** @param {string} pem @param {string} [algorithm] */
function privateKey(pem, algorithm = "ES256") {
  if (algorithm !== "ES256") throw new Error(`no key of ${algorithm} is known here`)
  const der = Buffer.from(pem.replace(/-----.*?-----|\s/g, ""), "base64")
  return webcrypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"])
}
