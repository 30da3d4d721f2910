// What happens is told to people who do not see it. Two regions take turns, so
// that the same words twice are two announcements.

/** @type {HTMLElement[]} */
let regions = []
let turn = 0

/** @param {HTMLElement[]} elements live regions that are in the page from the beginning */
export function announceIn(elements) {
  regions = elements
}

/** @param {string} words */
export function announce(words) {
  const [now, before] = turn++ % 2 ? [regions[1], regions[0]] : [regions[0], regions[1]]
  if (before) before.textContent = ""
  if (now) now.textContent = words
}
