// What a person is told of a call that fails: whether the tool may have run, and
// why it failed. hosts/testdata/verdicts, from real sockets.

import assert from "node:assert/strict"

import { patiently } from "./patience.js"
import { done } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** What the page shows of a call that has failed. @typedef {{heading: string, sentence: string, first: string}} Ended `first` is the button that helps most */

/** How a call is headed that ended so, and what can be done. @type {Record<string, [heading: RegExp, first: string]>} */
const verdicts = {
  "in doubt": [/^It is not known whether this was done$/, "Send again"],
  refused: [/^Desk answered with HTTP status \d+$/, "Try again"],
  "not sent": [/^No usable answer came$/, "Try again"],
}

test("a call that fails says what became of it", async () => {
  const { person, failures } = await scene.withFailing({ answer: () => done("It is done.") })
  await person.calls("x")
  await person.sees("Call again")
  // A server that fails offers nothing to call: each was called when it was well, and is called again.
  await person.tab.evaluate(
    keepCopies,
    failures.map(({ name, url }) => ({ title: `[${name}]`, url })),
  )
  await person.reload()

  /** @type {string[]} */
  const wrong = []
  for (const { name, url, want } of failures) {
    await person.press("Call again", `[${name}]`)
    // The next one when this has ended: then the page scrolls there, and a click would miss.
    const { heading, sentence, first } = await patiently(() => person.tab.evaluate(readEnd, `[${name}]`))
    const verdict = Object.keys(verdicts).find((one) => verdicts[one]?.[0].test(heading) && verdicts[one][1] === first)
    const says = want.words.every((words) => sentence.includes(words)) && !sentence.includes(url)
    if (verdict === want.verdict && says) continue
    wrong.push(`${name}: got ${heading}. ${sentence} [${first}], want ${want.verdict}, with ${want.words.join(" and ")}, without ${url}`)
  }
  assert.deepEqual(wrong, [])
})

/** Runs in the page: keeps copies of the one call there is, with other titles and of other servers. @param {{title: string, url: string}[]} copies */
async function keepCopies(copies) {
  const done = (/** @type {IDBRequest} */ request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
  const database = await done(indexedDB.open("parley-chat"))
  const transaction = database.transaction("records", "readwrite")
  const store = transaction.objectStore("records")
  const [record] = await done(store.getAll())
  for (const { title, url } of copies) store.put({ ...record, title, address: url, id: crypto.randomUUID() })
  await new Promise((resolve) => (transaction.oncomplete = resolve))
  database.close()
}

/** Runs in the page: what it shows of the call that was made last, which has this title. Throws until it has failed. @param {string} title @returns {Ended} */
function readEnd(title) {
  const call = [...document.querySelectorAll("article")].at(-1)
  const words = (/** @type {string} */ selector) => {
    const part = call?.querySelector(selector)
    if (!(part instanceof HTMLElement)) throw new Error(`the call of ${title} has not failed`)
    return part.innerText
  }
  if (words("h2") !== title) throw new Error(`there is no call of ${title}`)
  return { heading: words(".panel h3"), sentence: words(".panel p"), first: words(".panel button") }
}
