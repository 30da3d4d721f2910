// What a program renders that has no page; server.test.js runs it.
import { connect, requests } from "@parley-mcp/parley"
import { load } from "@parley-mcp/parley/inline"
import { Calls, CallsProvider, useCalls, useQuestions } from "@parley-mcp/parley/react"
import { StrictMode, version } from "react"
import { renderToString } from "react-dom/server"

import { Asked } from "./form.jsx"

function Chat() {
  const { calls } = useCalls({ onUnmount: "cancel" })
  return <p>{`${calls.length} calls, ${useQuestions().length} questions`}</p>
}

const asks = `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","required":["who"],"properties":{"who":{"type":"string","title":"Name","description":"In full","default":"Ann"}}}}}}}`

async function main() {
  const calls = new Calls()
  const session = connect(await load(), requests(() => `{"jsonrpc":"2.0","id":1,"result":${asks}}`), { askers: calls.askers(await load()) })
  const asked = new Promise((resolve) => calls.subscribe(() => calls.now().questions[0] && resolve(calls.now().questions[0])))
  const result = calls.start((side) => session.callTool({ name: "t", ...side }))
  const question = /** @type {import("@parley-mcp/parley/react").OpenQuestion} */ (await asked)
  const chat = renderToString(<StrictMode><CallsProvider calls={calls}><Chat /></CallsProvider></StrictMode>)
  const form = renderToString(<Asked question={question} />)
  let without = ""
  try {
    renderToString(<Chat />)
  } catch (error) {
    without = String(error)
  }
  question.park()
  await result.catch(() => {})
  await session.close()
  console.log(JSON.stringify({ version, chat, form, without, page: typeof window }))
}

main()
