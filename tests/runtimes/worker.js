// What runs in workerd: one call for each request, with the answer it names. A
// worker may not compile, so the module comes compiled.
import { connect, fetchTransport, load } from "@parley-mcp/parley"
import module from "parley.wasm"

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { server = "", units = "" } = Object.fromEntries(new URL(request.url).searchParams)
    const engine = await load({ source: module })
    const session = connect(engine, fetchTransport(server), {
      clientInfo: { name: "my-host", version: "1.0" },
      askers: { elicit: () => ({ action: "accept", content: { units } }) },
    })
    const { content } = await session.callTool({ name: "get_weather", arguments: { location: "Oslo" } })
    await session.close()
    return new Response(content.map(({ text }) => text).join("\n"))
  },
}
