/** Lines on a field of 24 by 24. @type {Record<string, string>} */
const paths = {
  account: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20a7.5 7.5 0 0 1 15 0",
  menu: "M4 7h16M4 12h16M4 17h16",
  model: "M11 3l1.9 5.1L18 10l-5.1 1.9L11 17l-1.9-5.1L4 10l5.1-1.9zM18.5 15l.9 2.1 2.1.9-2.1.9-.9 2.1-.9-2.1-2.1-.9 2.1-.9z",
  page: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
  parked: "M9 6v12M15 6v12",
  parley: "M3 6a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H7l-4 3zM18 9h1a2 2 0 0 1 2 2v8l-4-3h-6a2 2 0 0 1-2-1",
  plus: "M12 5v14M5 12h14",
  prompt: "M5 6h14M5 11h14M5 16h8",
  folder: "M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
  question: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1v.4M12 17.6h.01",
  resource: "M7 3h7l4 4v14H7zM14 3v4h4",
  server: "M9 7l-5 5 5 5M4 12h11a5 5 0 0 1 5 5v1",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9 15a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  tool: "M13 3L5 14h6l-1 7 8-11h-6z",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.2h.01",
  working: "M6 12h.01M12 12h.01M18 12h.01",
}

/** What stands for what a call is of. @type {Record<string, string>} */
const kinds = { "tools/call": "tool", "prompts/get": "prompt", "resources/read": "resource" }

const namespace = "http://www.w3.org/2000/svg"

/** A picture for the eye only. @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(namespace, "svg")
  svg.setAttribute("class", "icon")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("aria-hidden", "true")
  const path = document.createElementNS(namespace, "path")
  path.setAttribute("d", paths[name] ?? "")
  svg.append(path)
  return svg
}

/** The name of the picture for what a call is of. @param {string} method */
export function kindIcon(method) {
  return kinds[method] ?? "tool"
}
