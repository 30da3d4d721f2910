// The default entry with the module as a file that the bundler copies.
import { load } from "@parley-mcp/parley"
import wasm from "@parley-mcp/parley/parley.wasm"

import { host } from "./host.js"

host(load({ source: new URL(wasm, import.meta.url) }), location.search)
