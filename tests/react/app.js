// A server's app that renders a question, in a frame of the host.
import { App } from "@modelcontextprotocol/ext-apps"

const app = new App({ name: "form", version: "1" }, {})
app.ontoolinput = ({ arguments: args }) => {
  const button = document.createElement("button")
  button.textContent = `Answer: ${args?.message}`
  button.addEventListener("click", () => app.sendMessage({ role: "user", content: [{ type: "text", text: '{"action":"accept","content":{"name":"Ann","sure":true}}' }] }))
  document.body.append(button)
}
void app.connect()
