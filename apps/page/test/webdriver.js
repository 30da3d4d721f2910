// A browser's tabs by the commands of the W3C's WebDriver, over whichever wire:
// firefox.js and webkit.js bring theirs.

import { writeFileSync } from "node:fs"

import { click } from "./click.js"
import { patience, patiently } from "./patience.js"

/** @import { Look, Profile, Tab } from "./browser.js" */

/** A command of WebDriver, answered with its value. @typedef {(command: string, parameters?: object) => Promise<any>} Send */

/** The tabs of one session. Its commands go to one window at a time, so that tabs take turns. */
export class Session {
  #send
  /** It stays open: a session ends with its last window. */
  #home
  /** The window that commands go to. */
  #current = ""
  #known
  #turn = Promise.resolve()

  /** @param {Send} send @param {string} home */
  constructor(send, home) {
    this.#send = send
    this.#home = home
    this.#known = new Set([home])
  }

  /** Begins the session. @param {Send} send @param {object} [capabilities] */
  static async begin(send, capabilities = {}) {
    await send("NewSession", { capabilities })
    await send("SetTimeouts", { script: patience, pageLoad: patience })
    return new Session(send, await send("GetWindowHandle"))
  }

  /** @param {Look} look @param {(look: Look) => Promise<unknown>} dress gives the current window the look @returns {Profile} */
  profile(look, dress) {
    const opened = async (/** @type {string} */ handle) => {
      this.#known.add(handle)
      await this.#in(handle, () => dress(look))
      return this.#tab(handle)
    }
    return {
      newTab: async () => opened((await this.#in(this.#home, () => this.#send("NewWindow", { type: "window" }))).handle),
      nextTab: () =>
        patiently(async () => {
          const all = await this.inTurn(() => this.#send("GetWindowHandles"))
          const next = all.find((/** @type {string} */ one) => !this.#known.has(one))
          if (!next) throw new Error("no tab was opened")
          return opened(next)
        }),
      close: async () => {},
    }
  }

  /** Runs commands with none of a tab's between. @template T @param {() => Promise<T>} commands @returns {Promise<T>} */
  inTurn(commands) {
    const done = this.#turn.then(commands)
    this.#turn = done.then(() => {}, () => {})
    return done
  }

  /** Runs commands in one window. @template T @param {string} handle @param {() => Promise<T>} commands @returns {Promise<T>} */
  #in(handle, commands) {
    return this.inTurn(async () => {
      if (this.#current !== handle) await this.#send("SwitchToWindow", { handle })
      this.#current = handle
      return commands()
    })
  }

  /** @param {string} handle @returns {Tab} */
  #tab(handle) {
    /** @param {string} command @param {object} [parameters] */
    const send = (command, parameters) => this.#in(handle, () => this.#send(command, parameters))
    /** @type {Tab["evaluate"]} */
    const evaluate = async (run, argument) => {
      const { value, error } = await send("ExecuteAsyncScript", { script: `(${answer})(${run}, ...arguments)`, args: [argument ?? null] })
      if (error !== undefined) throw new Error(error)
      return value
    }
    const press = (/** @type {number} */ x, /** @type {number} */ y) => {
      const actions = [{ type: "pointerMove", x, y, duration: 0 }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]
      return send("PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] })
    }
    return {
      goto: (url) => send("Navigate", { url }),
      reload: () => send("Refresh"),
      evaluate,
      inject: (script) => send("ExecuteScript", { script, args: [] }),
      click: (selector) => click(evaluate, press, selector),
      // Not by keys: into a date they go in the order of the person's country, and a line break ends a form.
      fill: (selector, text) => evaluate(setValue, { selector, text }),
      select: (selector, value) =>
        this.#in(handle, async () => {
          const args = [`${selector} option[value="${value}"]`]
          const option = await this.#send("ExecuteScript", { script: "return document.querySelector(arguments[0])", args })
          await this.#send("ElementClick", { id: Object.values(option)[0] })
        }),
      press: (key) => send("PerformActions", { actions: [{ type: "key", id: "keyboard", actions: strokes(key) }] }),
      screenshot: async (path) => writeFileSync(path, Buffer.from(await send("TakeScreenshot", { full: false }), "base64")),
      close: () =>
        this.#in(handle, async () => {
          this.#current = ""
          await this.#send("CloseWindow")
        }),
    }
  }
}

/** Runs in the page: what a function returns or throws, now or later. @param {(argument: unknown) => unknown} run @param {unknown} argument @param {(answer: {value?: unknown, error?: string}) => void} done */
async function answer(run, argument, done) {
  try {
    done({ value: await run(argument ?? undefined) })
  } catch (error) {
    done({ error: String(error) })
  }
}

/** Runs in the page. @param {{selector: string, text: string}} argument */
function setValue({ selector, text }) {
  const input = /** @type {HTMLInputElement} */ (document.querySelector(selector))
  input.focus()
  input.value = text
  input.dispatchEvent(new InputEvent("input", { bubbles: true }))
  input.dispatchEvent(new Event("change", { bubbles: true }))
}

/** The strokes that press a key. @param {string} key */
function strokes(key) {
  const all = key.split("+").map((one) => keys[one] ?? one)
  return [...all.map((value) => ({ type: "keyDown", value })), ...all.reverse().map((value) => ({ type: "keyUp", value }))]
}

/** Keys without a character of their own, as WebDriver names them. @type {Record<string, string>} */
const keys = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
}
