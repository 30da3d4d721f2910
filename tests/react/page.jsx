// A page of a host, which browser.test.js uses as a person does. What it tells of
// itself is in `window.told`.
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"
import { connect, requests, toolResult } from "@parley-mcp/parley"
import { load } from "@parley-mcp/parley/inline"
import { Calls, CallsProvider, useCalls, useQuestions } from "@parley-mcp/parley/react"
import { StrictMode, useEffect, useRef, useState, version } from "react"
import { createRoot, hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server.browser"

import { Asked } from "./form.jsx"

/** @import { Call, OnUnmount, OpenQuestion } from "@parley-mcp/parley/react" */

const schema = `{"type":"object","required":["name","sure"],"properties":{
  "name":{"type":"string","title":"Your <b>name</b>","description":"As on the badge","minLength":2},
  "mail":{"type":"string","format":"email"},
  "day":{"type":"string","format":"date","title":"Day"},
  "price":{"type":"number","default":1.50,"title":"Price"},
  "sure":{"type":"boolean","title":"Sure"},
  "size":{"type":"string","title":"Size","enum":["s","l"],"enumNames":["Small","Large"],"default":"l"},
  "tags":{"type":"array","title":"Tags","items":{"type":"string","enum":["a","b","c"]},"default":["b"]}}}`
const made = `{"type":"object","minProperties":1,"required":["sure"],"properties":{
  "id":{"type":"string","readOnly":true,"default":"A-7","title":"Number"},
  "tags":{"type":"array","title":"Tags","items":{"type":"string","minLength":2},"minItems":2,"default":["red","green"]},
  "price":{"anyOf":[{"type":"number","exclusiveMinimum":0},{"type":"string"},{"type":"null"}],"title":"Price"},
  "size":{"enum":[1,"1"],"title":"Size"},"note":{"type":"string","title":"Note","default":"x","pattern":"^x"},
  "sure":{"const":true,"title":"Sure"}}}`
const people = '{"type":"object","properties":{"people":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}'
const settings = new URLSearchParams(location.search)
const asked = settings.has("made") ? made : settings.has("people") ? people : schema
const asks = `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"Who are you?","_meta":{"ui":{"resourceUri":"ui://items/form.html"},"n":1.0,"big":9007199254740993},"requestedSchema":${asked}}}}}`
const done = '{"resultType":"complete","content":[{"type":"text","text":"Done."}]}'

/** What the server got: legs, and the answers in them. */
const got = { legs: 0, answers: /** @type {string[]} */ ([]) }
/** How many components listen. */
let listening = 0

/** @template {{subscribe: (listener: () => void) => () => void}} T @param {T} store @returns {T} */
function counted(store) {
  const { subscribe } = store
  return Object.assign(store, {
    subscribe: (/** @type {() => void} */ listener) => {
      const end = subscribe(listener)
      listening++
      return () => (listening--, end())
    },
  })
}

const calls = new Calls()
/** Those whose forms are counted. @type {Set<OpenQuestion>} */
const seen = new Set()
calls.subscribe(() => {
  for (const question of calls.now().questions) if (!seen.has(question)) seen.add(question) && counted(question.filling)
})
counted(calls)
const engine = await load()
const session = connect(
  engine,
  requests(({ method, params }) => {
    if (method === "resources/read") return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[{"uri":"ui://items/form.html","mimeType":"text/html;profile=mcp-app","text":${JSON.stringify('<!doctype html><body><script src="/app.js"></script>')}}]}}`
    got.legs++
    const answer = params.includes('"inputResponses"')
    if (answer) got.answers.push(params)
    return `{"jsonrpc":"2.0","id":1,"result":${answer ? done : asks}}`
  }),
  { askers: { ...calls.askers(engine), anyForm: true } },
)

/** @param {{onUnmount: OnUnmount, atOnce?: boolean}} props */
function Caller({ onUnmount, atOnce }) {
  const { start } = useCalls({ onUnmount })
  const call = () => start((side) => session.callTool({ name: "t", ...side }), { id: "one" })
  useEffect(() => {
    if (atOnce) call() // twice in StrictMode
  }, [])
  return <button onClick={call}>Call</button>
}

function List() {
  const { calls, start, discard } = useCalls()
  const resume = (/** @type {Call} */ { id, snapshot = "" }) => start(async (side) => toolResult(await session.resume({ snapshot, ...side })), { id })
  return (
    <ul>
      {calls.map((call) => (
        <li key={call.id} id={call.id}>
          {call.status} {call.result?.content?.[0]?.text}
          <button onClick={() => call.cancel()}>Cancel</button>
          <button onClick={() => resume(call)}>Resume</button>
          <button onClick={() => discard(call.id)}>Discard</button>
        </li>
      ))}
    </ul>
  )
}

function Questions() {
  return useQuestions().map((question) => <Asked key={question.id} question={question} />)
}

/** A question that the server's own app renders, in a frame. @param {{question: OpenQuestion}} props */
function InApp({ question }) {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null))
  useEffect(() => {
    let gone = false
    const bridge = new AppBridge(null, { name: "host", version: "1" }, {})
    const uri = getToolUiResourceUri(question) // which reads its _meta
    bridge.oninitialized = () => bridge.sendToolInput({ arguments: { message: question.message } })
    bridge.onmessage = async ({ content: [first] }) => (question.answer(first?.type === "text" ? first.text : ""), {})
    const show = async () => {
      const { contents } = await session.readResource({ uri: uri ?? "" })
      const target = frame.current?.contentWindow
      if (gone || !target || !frame.current) return
      await bridge.connect(new PostMessageTransport(target, target))
      frame.current.srcdoc = contents[0]?.text ?? ""
    }
    void show()
    return () => ((gone = true), void bridge.close())
  }, [question])
  return <iframe ref={frame} title={question.message} sandbox="allow-scripts" />
}

function InApps() {
  return useQuestions().map((question) => <InApp key={question.id} question={question} />)
}

/** @param {{onUnmount: OnUnmount, atOnce?: boolean, app?: boolean}} props */
function Host({ onUnmount, atOnce, app }) {
  const [here, setHere] = useState(true)
  return (
    <CallsProvider calls={calls}>
      <button onClick={() => setHere(!here)}>{here ? "Away" : "Back"}</button>
      {here && <Caller onUnmount={onUnmount} atOnce={atOnce} />}
      {here && !app && <Questions />}
      {app && <InApps />}
      <List />
    </CallsProvider>
  )
}

const onUnmount = /** @type {OnUnmount | null} */ (settings.get("unmount")) ?? "continue"
const host = (
  <StrictMode>
    <Host onUnmount={onUnmount} atOnce={settings.has("atonce")} app={settings.has("app")} />
  </StrictMode>
)
const place = /** @type {HTMLElement} */ (document.getElementById("root"))
/** @type {import("react-dom/client").Root} */
let root
if (settings.has("hydrate")) {
  place.innerHTML = renderToString(host)
  const asked = new Promise((resolve) => {
    const end = calls.subscribe(() => calls.now().questions.length && resolve(end()))
  })
  calls.start((side) => session.callTool({ name: "t", ...side }), { id: "one" })
  await asked // so that there is more than the server knew
  root = hydrateRoot(place, host)
} else {
  root = createRoot(place)
  root.render(host)
}

const told = {
  version,
  got,
  calls: () => calls.now().calls.map(({ id, status, error }) => ({ id, status, code: error && "code" in error ? error.code : undefined })),
  questions: () => calls.now().questions.map(({ question: { params } }) => params),
  listening: () => listening,
  unmount: () => root.unmount(),
  close: async () => (await session.close(), engine.live),
}
/** @typedef {typeof told} Told */
Object.assign(window, { told })
