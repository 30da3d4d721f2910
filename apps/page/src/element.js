/**
 * What may stand in an element: text becomes a text node, so nothing is ever
 * read as HTML. Nothing at all is left out.
 *
 * @typedef {Node | string | number | false | null | undefined | Child[]} Child
 */

/** @typedef {string | number | boolean | null | undefined | EventListener | ((event: any) => void)} Attribute */

/**
 * Makes an element. An attribute that is a function listens to the event of
 * its name without "on"; true is the bare attribute; false and nothing leave
 * it out.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), /** @type {EventListener} */ (value))
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...nodes(children))
  return element
}

/** Puts other children into an element. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children))
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child)
    if (child === false || child === null || child === undefined) return []
    return [child instanceof Node ? child : String(child)]
  })
}

let lastId = 0

/** An id that no other element has. @param {string} [stem] */
export function newId(stem = "id") {
  return `${stem}-${++lastId}`
}
