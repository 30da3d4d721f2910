// Calls a tool of an MCP server and asks in the terminal what the server wants to know. README.md says how to run it.
import { connect, fetchTransport, load } from "@parley-mcp/parley"
import { shown, terminal } from "@parley-mcp/parley/terminal"

const [url, name, args] = process.argv.slice(2)
if (!url || !name || !args) {
  console.error(`Usage: node main.js URL TOOL ARGUMENTS, the arguments as JSON: '{"location":"Oslo"}'`)
  process.exit(1)
}

const engine = await load()
const session = connect(engine, fetchTransport(url), { clientInfo: { name: "node-host", version: "0.1.0" }, askers: terminal(engine) })
try {
  const { content, isError } = await session.callTool({ name, arguments: args })
  for (const { text } of content) console.log(`\n${shown(text ?? "")}`)
  process.exitCode = isError ? 1 : 0
} catch (error) {
  console.error(shown(String(error)))
  process.exitCode = 1
}
await session.close()
