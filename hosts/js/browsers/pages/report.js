// The page's or worker's side of the runner. Settings are in the URL.

/** @import { Said } from "../site.mjs" */

/** @param {string} name */
export function setting(name) {
  return new URLSearchParams(location.search).get(name) ?? ""
}

/** Tells the runner. @param {Said} said */
export async function report(said) {
  await fetch(`/report?id=${setting("report")}`, { method: "POST", body: JSON.stringify(said) })
}

/** The text of an error with where it was thrown; only Chromium's stack has both. @param {unknown} error */
export function failure(error) {
  const { stack = "" } = error instanceof Error ? error : {}
  const text = stack.includes(String(error)) ? stack : `${error}\n${stack}`
  return text.replaceAll(location.search, "").trim()
}
