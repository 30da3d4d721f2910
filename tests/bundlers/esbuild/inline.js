import { load } from "@parley-mcp/parley/inline"

globalThis.engine = load()
