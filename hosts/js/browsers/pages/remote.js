// A chat host's page that may not run WebAssembly: its calls are driven by the
// host's server. It draws the forms itself. What is open when it is loaded again
// is gone on with.
import { load } from "../../dist/browser.js"
import { connectRemote, toolResult } from "../../dist/remote/index.js"

/** @import { Question } from "../../dist/index.js" */

const server = new URLSearchParams(location.search).get("server") ?? ""
const { body } = document

await load().then(
  () => (body.dataset.wasm = "it runs"),
  (error) => (body.dataset.wasm = error.message),
)
const session = connectRemote(server, { askers: { elicit } })
let asked = 0

/** @param {Question} question @param {{signal: AbortSignal}} context @returns {Promise<object>} */
function elicit({ params = "{}" }, { signal }) {
  const { message, requestedSchema } = JSON.parse(params)
  const form = document.createElement("form")
  form.append(message)
  for (const name of Object.keys(requestedSchema.properties)) form.append(Object.assign(document.createElement("input"), { name }))
  form.append(document.createElement("button"))
  body.append(form)
  body.dataset.asked = String(++asked)
  signal.addEventListener("abort", () => form.remove())
  return new Promise((answer) => {
    form.onsubmit = (event) => {
      event.preventDefault()
      const numbers = (/** @type {[string, any]} */ [name, value]) => [name, requestedSchema.properties[name].type === "integer" ? Number(value) : value]
      answer({ action: "accept", content: Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "").map(numbers)) })
      form.remove()
    }
  })
}

/** Makes the call, or goes on with it. @param {string | null} snapshot */
async function run(snapshot) {
  const outcome = snapshot
    ? await session.resume({ snapshot })
    : await session.call({ method: "tools/call", params: { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } }, save: (handle) => sessionStorage.setItem("call", handle) })
  sessionStorage.removeItem("call")
  body.dataset.result = outcome.status === "done" ? toolResult(outcome).content.map(({ text }) => text).join() : JSON.stringify(outcome)
}

const open = sessionStorage.getItem("call")
if (open) void run(open)
Object.assign(globalThis, { run })
body.dataset.ready = ""
