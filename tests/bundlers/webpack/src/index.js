import { load } from "@parley-mcp/parley"

globalThis.engine = load()

// The tests look here.
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
globalThis.worker = new Promise((resolve) => (worker.onmessage = resolve))
globalThis.load = load
