import { el } from "./element.js"

/** Gives the person a text as a file. @param {string} name of a server's choosing @param {string} text */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }))
  el("a", { href: url, download: name.replace(/[^\w.-]+/g, "-").slice(-100) }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser reads it when it likes
}
