// A person at the page, who goes by what they read: names of buttons, labels of
// fields, words on the screen.

import assert from "node:assert/strict"

import { GoneError, patience } from "./patience.js"

/** @import { Profile, Tab } from "./browser.js" */

/**
 * What to look for: a button by its name, a field by its label, an entry of the
 * catalogue by its title. `call` are words in the call it has to be in, the last
 * one with them.
 *
 * @typedef {{kind: "button" | "field" | "entry", name: string, call?: string}} Wanted
 */

let marks = 0

export class Person {
  #profile
  #origin

  /** @type {Tab} */
  tab

  /** What the page says in this person's language, by the English text: a test may say all in English. @type {Readonly<Record<string, string>>} */
  texts = {}

  /** @param {Profile} profile @param {string} origin of the page @param {Tab} tab @param {Readonly<Record<string, string>>} [texts] */
  constructor(profile, origin, tab, texts = {}) {
    this.texts = texts
    this.#profile = profile
    this.#origin = origin
    this.tab = tab
  }

  /** Opens the page. @param {Profile} profile @param {string} origin @param {Readonly<Record<string, string>>} [texts] */
  static async at(profile, origin, texts) {
    const person = new Person(profile, origin, await profile.newTab(), texts)
    await person.open()
    return person
  }

  async open() {
    await this.tab.goto(this.#origin)
    await this.sees("Pick something to call")
  }

  async reload() {
    await this.tab.reload()
    await this.sees("Pick something to call")
  }

  /** Closes the tab and comes back in another one. */
  async comesBack() {
    await this.tab.close()
    this.tab = await this.#profile.newTab()
    await this.open()
  }

  /** The same person in a second tab. */
  second() {
    return Person.at(this.#profile, this.#origin, this.texts)
  }

  /** The same person in the tab that a button opens. @param {string} name @param {string} [call] */
  opens(name, call) {
    return this.opensBy(() => this.press(name, call))
  }

  /** The same person in the tab that opens by something. @param {() => Promise<unknown>} does */
  async opensBy(does) {
    const [tab] = await Promise.all([this.#profile.nextTab(), does()])
    return new Person(this.#profile, this.#origin, tab, this.texts)
  }

  /** Opens an address by hand, and says so. @param {string} url @param {string} button */
  async opensMyself(url, button) {
    const tab = await this.#profile.newTab()
    await tab.goto(url)
    await this.press(button)
    return new Person(this.#profile, this.#origin, tab)
  }

  /** Calls something. @param {string} title @param {Record<string, string | boolean>} [values] the arguments, by their labels */
  async calls(title, values = {}) {
    await this.pick(title)
    await this.fill(values)
    await this.tab.click(await this.#find({ kind: "button", name: `/^(${["Call the tool", "Get the prompt", "Read the resource"].map((words) => this.#own(words)).join("|")})$/` }))
  }

  /** @param {string} title */
  async pick(title) {
    await this.#until(() => document.querySelectorAll(".group button").length > 0, undefined, "the catalogue")
    const hidden = await this.tab.evaluate(() => document.querySelector(".group button")?.getClientRects().length === 0, undefined)
    if (hidden) await this.tab.click(".menu")
    await this.tab.click(await this.#find({ kind: "entry", name: title }))
  }

  /**
   * Fills in fields: text, or true and false for what is ticked. A radio button
   * goes by its own label.
   *
   * @param {Record<string, string | boolean>} values @param {string} [call]
   */
  async fill(values, call) {
    for (const [name, value] of Object.entries(values)) {
      const field = await this.#find({ kind: "field", name, call })
      const [type, ticked, option] = await this.tab.evaluate(
        ({ field, value }) => {
          const control = document.querySelector(field)
          if (control instanceof HTMLSelectElement) return ["select", false, [...control.options].find(({ text }) => text === value)?.value]
          return control instanceof HTMLInputElement ? [control.type, control.checked, undefined] : ["text", false, undefined]
        },
        { field, value },
      )
      if (type === "radio" || type === "checkbox") {
        if (ticked !== value) await this.tab.click(field)
      } else if (type === "select") {
        await this.tab.select(field, /** @type {string} */ (option))
      } else {
        await this.tab.fill(field, String(value))
      }
    }
  }

  /** Presses a button. @param {string} name a regular expression if between slashes @param {string} [call] */
  async press(name, call) {
    await this.tab.click(await this.#find({ kind: "button", name, call }))
  }

  /** Answers a form: fills in, reviews, sends. @param {Record<string, string | boolean>} values @param {string} [call] */
  async answers(values, call) {
    await this.fill(values, call)
    await this.press("Review answer", call)
    await this.press("Send", call)
  }

  /** Presses keys, one after the other. @param {...string} keys */
  async keys(...keys) {
    for (const key of keys) await this.tab.press(key)
  }

  /** Waits for words to be on the screen. @param {string} words @param {string} [call] */
  async sees(words, call) {
    await this.#until(
      ({ words, call }) => {
        const text = (/** @type {HTMLElement} */ element) => element.innerText.replaceAll(/\s+/g, " ")
        const place = call === undefined ? document.body : [...document.querySelectorAll("article")].findLast((one) => text(one).includes(call))
        return place !== undefined && text(place).includes(words.replaceAll(/\s+/g, " "))
      },
      { words: this.#own(words), call },
      `“${words}”${call === undefined ? "" : ` in ${call}`}`,
    )
  }

  /** Waits for words to be gone. @param {string} words */
  async seesNo(words) {
    await this.#until((words) => !document.body.innerText.includes(words), words, `no “${words}”`)
  }

  /** What is on the screen. @param {string} [selector] */
  async reads(selector = "body") {
    return this.tab.evaluate((selector) => {
      const part = document.querySelector(selector)
      return part instanceof HTMLElement ? part.innerText : ""
    }, selector)
  }

  /** How many elements there are. @param {string} selector */
  async counts(selector) {
    return this.tab.evaluate((selector) => document.querySelectorAll(selector).length, selector)
  }

  /** Where the focus is: the words of the element, or its label. */
  async focus() {
    return this.tab.evaluate(() => {
      const active = document.activeElement
      if (!(active instanceof HTMLElement)) return ""
      const label = active.closest("label") ?? document.querySelector(`label[for="${active.id}"]`)
      return (active.ariaLabel || (label instanceof HTMLElement && label.innerText) || active.innerText).replaceAll(/\s+/g, " ").trim()
    }, undefined)
  }

  /** Waits for the focus to be there. @param {string | RegExp} words */
  async focusIs(words) {
    const end = Date.now() + patience
    let at = ""
    while (Date.now() < end) {
      at = await this.focus()
      if (typeof words === "string" ? at === words : words.test(at)) return
      await pause()
    }
    assert.fail(`the focus: got “${at}”, want ${words}`)
  }

  /** Words as the page says them to this person. @param {string} words */
  #own(words) {
    return this.texts[words] ?? words
  }

  /** Waits for a condition in the page. @template A @param {(argument: A) => unknown} condition @param {A} argument @param {string} what */
  async #until(condition, argument, what) {
    const end = Date.now() + patience
    // A page that goes away meanwhile does not answer: then it is the next one's turn.
    while (!(await this.tab.evaluate(soon(condition), argument).catch(unlessGone))) {
      if (Date.now() > end) assert.fail(`waited for ${what}; on the screen: ${await this.reads()}`)
      await pause()
    }
  }

  /** Waits for an element and marks it. @param {Wanted} wanted @returns {Promise<string>} its selector */
  async #find({ name, ...rest }) {
    const wanted = { name: this.#own(name), ...rest }
    const mark = String(++marks)
    await this.#until(findAndMark, { wanted, mark }, `the ${wanted.kind} ${wanted.name}${wanted.call ? ` in ${wanted.call}` : ""}`)
    return `[data-found="${mark}"]`
  }
}

/** @returns {Promise<void>} */
function pause() {
  return new Promise((resolve) => setTimeout(resolve, 25))
}

/** @param {unknown} error @returns {false} */
function unlessGone(error) {
  if (error instanceof GoneError) throw error
  return false
}

/** A function for the page: whether a condition holds now, or within half a second. @param {Function} condition */
function soon(condition) {
  return `async (argument) => {
    const holds = ${condition}
    for (const end = Date.now() + 500; ; ) {
      if (holds(argument)) return true
      if (Date.now() > end) return false
      await new Promise((resolve) => {
        // What no element tells of, such as a layout, shows all the same in a while.
        const timer = setTimeout(done, 100)
        const observer = new MutationObserver(() => setTimeout(done, 5))
        function done() {
          clearTimeout(timer)
          observer.disconnect()
          resolve()
        }
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
      })
    }
  }`
}

/** Runs in the page. @param {{wanted: Wanted, mark: string}} argument */
function findAndMark({ wanted: { kind, name, call }, mark }) {
  const words = (/** @type {Element | null | undefined} */ element) => (element instanceof HTMLElement ? element.innerText.replaceAll(/\s+/g, " ").trim() : "")
  const pattern = name.startsWith("/") ? new RegExp(name.slice(1, -1)) : undefined
  const is = (/** @type {string} */ text) => (pattern ? pattern.test(text) : text === name)
  const named = (/** @type {Element} */ element) => {
    if (kind === "entry") return is(words(element.querySelector(".title")))
    const { ariaLabel, id } = element
    if (kind === "button") return is(ariaLabel || words(element))
    // Not by its labels, a list that lives: WebKitGTK 2.50 crashes when it outlives its page.
    const label = element.closest("label") ?? document.querySelector(`label[for="${id}"]`)
    const group = element.closest("fieldset")?.querySelector("legend")
    return (
      is(ariaLabel || "") || is(words(label)) || is(words(label?.querySelector(".theirs"))) || is(`${words(group?.querySelector(".theirs"))}: ${words(label)}`)
    )
  }
  const selector = { button: "button", entry: ".group button", field: "input, select, textarea" }[kind]
  const dialog = document.querySelector("dialog:modal")
  const place = call === undefined ? (dialog ?? document) : [...document.querySelectorAll("article")].findLast((one) => words(one).includes(call))
  const found = [...(place?.querySelectorAll(selector) ?? [])].filter(
    (element) =>
      element instanceof HTMLElement && element.getClientRects().length > 0 && !element.closest("[inert]") && !element.matches(":disabled") && named(element),
  )
  found[0]?.setAttribute("data-found", mark)
  return found.length > 0
}
