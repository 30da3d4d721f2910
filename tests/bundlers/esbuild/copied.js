import { Engine } from "@parley-mcp/parley/core"
import url from "@parley-mcp/parley/parley-session.wasm"

globalThis.engine = WebAssembly.compileStreaming(fetch(url)).then((module) => new Engine(module))
