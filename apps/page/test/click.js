import { patience, patiently } from "./patience.js"

/** @import { Tab } from "./browser.js" */

/**
 * Clicks an element as a person does, who looks where it is, moves there and
 * presses. What has moved away meanwhile is tried again.
 *
 * @param {Tab["evaluate"]} evaluate
 * @param {(x: number, y: number) => Promise<unknown>} press the button of the mouse there, in pixels
 * @param {string} selector
 */
export function click(evaluate, press, selector) {
  return patiently(async () => {
    const { x, y } = await evaluate(reach, selector)
    await press(x, y)
    // A page that goes away with the click may not answer.
    if (!(await evaluate(hit, patience / 2).catch(() => true))) throw new Error(`${selector} moved away from under the mouse`)
  })
}

/**
 * Runs in a page: brings an element into view and tells where a click reaches
 * it. Throws if something is in front of it there, or it has not come to rest.
 *
 * @param {string} selector
 */
async function reach(selector) {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`there is no ${selector}`)
  element.scrollIntoView({ block: "center" })
  const before = element.getBoundingClientRect()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const { left, right, top, bottom } = element.getBoundingClientRect()
  if (left !== before.left || top !== before.top) throw new Error(`${selector} moves`)
  const x = Math.round((left + right) / 2)
  const y = Math.round((top + bottom) / 2)
  if (!element.contains(document.elementFromPoint(x, y))) throw new Error(`something is in front of ${selector}`)
  // Told by an attribute, because Firefox gives each script globals of its own.
  const { dataset } = document.documentElement
  dataset["clicked"] = "not yet"
  addEventListener("click", ({ target }) => (dataset["clicked"] = String(target instanceof Node && element.contains(target))), { capture: true, once: true })
  return { x, y }
}

/** Runs in a page: whether the click has reached the element, once it has reached any. A page that came with the click knows of none. @param {number} limit in milliseconds */
async function hit(limit) {
  const { dataset } = document.documentElement
  for (const end = Date.now() + limit; dataset["clicked"] === "not yet" && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 5))
  return dataset["clicked"] === undefined || dataset["clicked"] === "true"
}
