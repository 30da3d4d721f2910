// A host in a page that signs in: sign-in.mjs drives it, and reads what becomes of
// it from the body. With ?redirect it has no window, and comes back here.
import { indexedDBAccounts, memoryAccounts, signIn } from "../../dist/oauth/web.js"

const query = new URLSearchParams(location.search)
if (query.has("url")) sessionStorage.setItem("settings", location.search)
const settings = new URLSearchParams(sessionStorage.getItem("settings") ?? "")
const redirect = settings.has("redirect")
const button = /** @type {HTMLButtonElement} */ (document.querySelector("#yes"))

const login = signIn({
  url: settings.get("url") ?? "",
  store: settings.has("kept") ? indexedDBAccounts({ name: settings.get("kept") ?? "" }) : memoryAccounts(),
  redirect,
  ...(!redirect && { redirectUri: "sign-in-callback.html" }),
  ask: (prompt) =>
    new Promise((resolve) => {
      button.onclick = () => {
        if (!settings.has("closed")) prompt.open()
        resolve(undefined)
      }
      document.body.dataset.asked = prompt.host
    }),
})

/** What the call's asker would do, whose call is parked then. */
async function authorize() {
  delete document.body.dataset.result
  try {
    const question = /** @type {any} */ ({ ask: -1, kind: "authorize", params: '{"status":401}' })
    const answer = await login.authorize(question, { signal: new AbortController().signal })
    if (typeof answer === "symbol") return void (await login.leave())
    say(answer)
  } catch (error) {
    say({ error: String(error) })
  }
}

/** @param {unknown} value */
function say(value) {
  document.body.dataset.result = JSON.stringify(value)
}

Object.assign(globalThis, { login, authorize })
const back = redirect && (await login.returned())
if (back) say({ account: back.label, search: location.search, begun: Object.keys(sessionStorage).filter((key) => key.startsWith("parley")) })
document.body.dataset.ready = ""
