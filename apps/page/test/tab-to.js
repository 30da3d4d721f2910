import assert from "node:assert/strict"

/** Presses Tab until the focus is there. @param {import("./person.js").Person} person @param {RegExp} words @param {string} [key] */
export async function tabTo(person, words, key = "Tab") {
  const passed = []
  for (let presses = 0; presses < 60; presses++) {
    await person.keys(key)
    const at = await person.focus()
    if (words.test(at)) return
    passed.push(at.slice(0, 30))
  }
  assert.fail(`${key} never came to ${words}, but to: ${passed.join(" | ")}`)
}
