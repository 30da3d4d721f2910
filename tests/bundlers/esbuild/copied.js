import { Engine } from "@parley-mcp/parley/core"
import url from "@parley-mcp/parley/parley.wasm"

globalThis.engine = WebAssembly.compileStreaming(fetch(url)).then((module) => new Engine(module))
