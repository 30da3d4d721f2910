// The host in a module worker.
const worker = new Worker(new URL("./in-worker.js", import.meta.url), { type: "module" })
worker.postMessage(location.search)
