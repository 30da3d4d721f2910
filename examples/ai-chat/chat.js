// A chat whose tools may ask, also after the page was closed. README.md says how to run it.
import { generateText, isStepCount } from "ai"
import { connect, fetchTransport, indexedDBStore, load } from "@parley-mcp/parley"
import { toolLoop } from "@parley-mcp/parley/ai-sdk"
import { dialogs } from "@parley-mcp/parley/dialogs"
import { indexedDBAccounts, signIn } from "@parley-mcp/parley/oauth"
import { model } from "./model.js"

const url = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:8080/mcp"
const [list, form, button] = /** @type {any[]} */ (["ol", "form", "#sign-in"].map((it) => document.querySelector(it)))
const engine = await load()
const { elicit, elicitURL } = dialogs(engine)
const login = signIn({ url, redirectUri: "/signed-in.html", store: indexedDBAccounts({ name: "accounts" }), ask })
const session = connect(engine, fetchTransport(url, { authorization: login.authorization }))
const loop = toolLoop({ server: session }, { store: indexedDBStore({ name: "calls" }), askers: { authorize: login.authorize } })

/** Whether to sign in, which takes a click. @param {import("@parley-mcp/parley/oauth").Prompt} prompt */
function ask({ host, open }) {
  return new Promise((yes) => Object.assign(button, { hidden: false, textContent: `Sign in to ${host}`, onclick: () => yes((button.hidden = open())) }))
}
/** What waits: a server's question, or whether to call a tool. @param {import("@parley-mcp/parley/ai-sdk").Waiting} waiting @returns {any} */
function answer({ question, tool, problem = "may it be called?" }) {
  if (question) return (question.mode === "url" ? elicitURL : elicit)(question, new AbortController())
  return { action: confirm(`${tool}: ${problem}`) ? "accept" : "decline" }
}
/** Keeps the chat, and goes on: with what waits for the person, or else with the model. @param {import("ai").ModelMessage[]} messages */
async function go(messages) {
  localStorage.setItem("chat", JSON.stringify(messages))
  const lines = messages.map(({ role, content }) => `${role}: ${typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : part.type))}`)
  list.replaceChildren(...lines.map((textContent) => Object.assign(document.createElement("li"), { textContent })))
  form.onsubmit = () => (go([...messages, { role: "user", content: form.said.value }]), form.reset(), false)
  const [first] = await loop.waiting(messages)
  if (first) return go(await loop.answer(messages, { [first.id]: await answer(first) }))
  if (!["user", "tool"].includes(messages.at(-1)?.role ?? "")) return
  const turn = await generateText({ model, messages, tools: await loop.tools(), stopWhen: [isStepCount(20), loop.parked] })
  await go([...messages, ...turn.responseMessages])
}
await go(JSON.parse(localStorage.getItem("chat") ?? "[]")) // a chat that was left
