// Runs a module of this folder, in the page or in a worker of it.
import { failure, report, setting } from "./report.js"

const module = new URL(`./${setting("module")}.js${location.search}`, import.meta.url)

if (setting("realm") === "worker") {
  const worker = new Worker(module, { type: "module" })
  worker.onerror = ({ message, filename, lineno }) => broken(message ? `${message}, ${filename}:${lineno}` : "it cannot be loaded")
} else {
  import(String(module)).catch((error) => broken(failure(error)))
}

/** Nothing more is to be heard of it. @param {string} error */
async function broken(error) {
  await report({ test: "the module runs", error })
  await report({ done: true })
}
