// Makes a call with the JavaScript package, and signs in with its entry ./oauth. Who answers is on the other side of
// stdin and stdout; the README of the folder above has the words.
//
//   client.js URL TOOL FOLDER ACCOUNTS ARGUMENTS  begins a call
//   client.js URL TOOL,TOOL … ARGUMENTS           makes several at once, and keeps none
//   client.js URL - FOLDER ACCOUNTS {}            resumes the one in FOLDER
//   client.js URL signout FOLDER ACCOUNTS {}      signs out
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { connect, fetchTransport, load, PARK } from "../../../hosts/js/dist/node.js"
import { signIn } from "../../../hosts/js/dist/oauth/node.js"
import { Answerer } from "./answerer.js"
import { sealedFiles } from "./sealed-files.js"

const [url = "", tool = "", folder = "", accounts = "", args = ""] = process.argv.slice(2)
const person = new Answerer()
const login = signIn({
  url,
  store: sealedFiles(accounts, join(folder, "key")),
  clientName: "jsclient",
  async ask({ status, scopes, error }, { signal }) {
    const answer = await person.ask({ type: "sign in", status, scopes, error }, signal)
    if (answer.Park) return PARK
    if (answer.Refuse) throw new Error("not now")
  },
  open: ({ url, host, scopes }) => person.tell({ type: "open", url, host, scopes }),
})

if (tool === "signout") {
  const problem = await login.signOut().then(
    ({ revoked, why = "not revoked" }) => (revoked ? "" : why),
    (error) => error.message,
  )
  person.tell({ type: "signed out", problem })
} else await call()
person.close()

async function call() {
  const session = connect(await load(), fetchTransport(url, { authorization: login.authorization }), {
    clientInfo: { name: "jsclient", version: "1" },
    askers: {
      authorize: login.authorize,
      async elicit({ params = "" }, { signal }) {
        const answer = await person.ask({ type: "form", params: JSON.parse(params) }, signal)
        return answer.Park ? PARK : answer.Answer
      },
    },
  })
  const tools = tool.split(",")
  const file = join(folder, "call")
  const keep = (/** @type {string} */ snapshot) => (tools.length > 1 ? undefined : writeFileSync(file, snapshot, { mode: 0o600 }))
  const side = { park: person.park, save: keep }
  const one = async (/** @type {string} */ name) => {
    const outcome =
      name === "-"
        ? await resume(session, { snapshot: readFileSync(file, "utf8"), ...side })
        : await session.call({ method: "tools/call", params: { name, arguments: JSON.parse(args) }, ...side })
    if (outcome.status !== "done" && outcome.snapshot !== undefined) keep(outcome.snapshot)
    if (outcome.status === "done") return person.tell({ type: "done", result: JSON.parse(outcome.result) })
    if (outcome.status === "parked") return person.tell({ type: "parked" })
    const { code, resumable, inDoubt = false, detail, cause } = outcome
    person.tell({ type: "failed", code, resumable, inDoubt, text: detail, cause: cause instanceof Error ? cause.message : "" })
  }
  try {
    await Promise.all(tools.map(one))
  } finally {
    await session.close()
  }
}

/**
 * @param {import("../../../hosts/js/dist/node.js").Session} session
 * @param {import("../../../hosts/js/dist/node.js").Resumption} call
 */
async function resume(session, call) {
  return session.resume({ ...call, expect: { principal: (await login.account())?.label } })
}
