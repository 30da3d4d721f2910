import { load } from "@parley-mcp/parley"

export const dynamic = "force-dynamic"

// A call on the server, which its MCP server answers at once.
export async function GET() {
  const engine = await load()
  const flow = engine.newFlow("tools/call", { name: "greet" })
  flow.step(Date.now(), { type: "begin" })
  const [done] = flow.step(Date.now(), { type: "response", leg: 1, body: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}' })
  flow.free()
  return Response.json({ ...done, live: engine.live })
}
