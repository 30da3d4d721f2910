/**
 * Makes an element. Text stays text; attributes that are false, and children
 * that are none, are left out.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {Record<string, string | false | undefined>} [attributes] @param {...(Node | string | false | undefined)} children
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) if (value !== undefined && value !== false) element.setAttribute(attribute, value)
  for (const child of children) if (child) element.append(child)
  return element
}
