import { t } from "../../shared-js/language.js"

/** A Root of the schema. @typedef {{uri: string, name: string}} Root */

/**
 * A folder as somebody types it, a path or a file: address, as a root; or what
 * is wrong with it.
 *
 * @param {string} typed
 * @returns {Root | string}
 */
export function addressOf(typed) {
  const text = typed.trim()
  const drive = /^[A-Za-z]:[\\/]/.test(text)
  if (!text) return t`Type where the folder is, such as /home/me/project.`
  if (!drive && !text.startsWith("/") && !text.startsWith("file:///"))
    return t`A folder’s path begins with / or a drive, such as /home/me/project or C:\\project.`
  const path = text.startsWith("file:") ? decoded(text.slice("file://".length)) : (drive ? "/" : "") + text.replaceAll("\\", "/")
  if (path === undefined || path.split("/").includes("..")) return t`A folder’s path must be whole, without .. and broken % signs.`
  const uri = `file://${path
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^(\/[A-Za-z])%3A/, "$1:")}`
  return { uri, name: path.split("/").filter(Boolean).at(-1) ?? "/" }
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {}
}
