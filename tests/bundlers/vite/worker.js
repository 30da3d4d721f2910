import { load } from "@parley-mcp/parley"

globalThis.engine = load()
postMessage("it has begun")
