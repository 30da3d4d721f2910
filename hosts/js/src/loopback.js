/** Whether a URL is of this very machine. @param {URL} url */
export function isLoopback({ hostname }) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
}
