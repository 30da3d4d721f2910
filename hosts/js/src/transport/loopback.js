/** Whether a URL is of this very machine. @param {URL} url */
export function isLoopback({ hostname }) {
  return hostname === "localhost" || /^\[::(1|ffff:7f..:.+)\]$/.test(hostname) || /^127(\.\d+){3}$/.test(hostname)
}
