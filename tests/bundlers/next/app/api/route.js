import { load } from "@parley-mcp/parley"

export const dynamic = "force-dynamic"

// A call on the server, which its MCP server answers at once.
export async function GET() {
  const engine = await load()
  const session = engine.newSession({ transport: "requests" })
  session.step(Date.now(), { type: "begin", call: session.call("tools/call", { name: "greet" }) })
  const [done] = session.step(Date.now(), { type: "message", exchange: 1, body: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', last: true })
  session.free()
  const { type, result } = done
  return Response.json({ type, result, live: engine.live })
}
