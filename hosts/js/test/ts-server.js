import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server"

/**
 * A server on the official TypeScript SDK, as a function of a Request. Its tool
 * greets, and asks for what it is not told.
 */
export function tsServer() {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "greeter", version: "1.0.0" })
    const inputSchema = fromJsonSchema({ type: "object", properties: { greeting: { type: "string" } } })
    server.registerTool("greet", { description: "Greets a person", inputSchema }, async (args, { mcpReq }) => {
      const { greeting } = /** @type {{greeting: string}} */ (args)
      const who = /** @type {{name: string} | undefined} */ (acceptedContent(mcpReq.inputResponses, "who"))
      if (!who) {
        return inputRequired({
          inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }) },
          requestState: "round 1 \ud800", // a lone surrogate must come back
        })
      }
      return { content: [{ type: "text", text: `${greeting} ${who.name}, state ${JSON.stringify(mcpReq.requestState())}` }] }
    })
    return server
  })
  return fetch
}
