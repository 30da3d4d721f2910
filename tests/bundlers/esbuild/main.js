import { load } from "@parley-mcp/parley"

globalThis.engine = load()
