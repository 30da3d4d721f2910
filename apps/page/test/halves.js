// Which files of tests share a process, and by that a browser: to start Firefox
// takes longer than most tests. There are two because machines have two cores.

import { readdirSync } from "node:fs"

/** Both take about as long. */
const halves = [
  ["completion", "forms", "hostile", "keeping", "keyboard", "questions"],
  ["doubt", "fields", "session", "trouble", "typing"],
]

/**
 * What is no different in another browser (the servers' eras and their tasks are the engine's, which has its corpora in
 * each), is for people to look at, or has the words of this one.
 */
const inChromium = [
  ["earlier", "german", "look"],
  ["provider", "sdk", "serve", "signing-in", "tasks", "units", "verdicts", "weight"],
]

/** Runs the tests of a half. @param {0 | 1} n */
export async function half(n) {
  const here = new URL(".", import.meta.url)
  const found = readdirSync(here).filter((name) => name.endsWith(".test.js"))
  const listed = [...halves, ...inChromium].flat().map((name) => `${name}.test.js`)
  const left = found.filter((name) => !listed.includes(name))
  if (left.length) throw new Error(`halves.js has no place for ${left.join(", ")}`)
  const more = (process.env.BROWSER || "chromium") === "chromium" ? inChromium[n] : []
  for (const name of [...(halves[n] ?? []), ...(more ?? [])]) await import(new URL(`${name}.test.js`, here).href)
}
