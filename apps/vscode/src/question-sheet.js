// The steps of a question, in VS Code's own pickers and input boxes.

import * as vscode from "vscode"

import { BACK, Left } from "./leaving.js"

/** @import { InputBox, QuickInputButton, QuickPick, QuickPickItem } from "vscode" */

/** Where a step stands. @typedef {{step: number, total: number, back?: boolean}} Place */

const parkButton = { iconPath: new vscode.ThemeIcon("debug-pause"), tooltip: "Park for later: the server is not told" }
const stopButton = { iconPath: new vscode.ThemeIcon("debug-stop"), tooltip: "Stop this call" }

export class Sheet {
  #title
  #signal
  #leaves

  /**
   * @param {{title: string, trouble?: string, signal?: AbortSignal, leaves?: boolean}} options `trouble` stands
   *   before the first prompt; the signal's reason is a {@link Left}; `leaves` offers to park and to stop
   */
  constructor({ title, trouble = "", signal = new AbortController().signal, leaves = false }) {
    this.#title = title
    this.trouble = trouble
    this.#signal = signal
    this.#leaves = leaves
  }

  get signal() {
    return this.#signal
  }

  /** The items that leave the question, for a list of what can be done with it. */
  get ways() {
    /** @type {(QuickPickItem & {how: "park" | "stop"})[]} */
    const ways = [
      { label: "$(debug-pause) Park for later", description: "The call is kept, and the server is not told", how: "park" },
      { label: "$(debug-stop) Stop this call", description: "The call is given up", how: "stop" },
    ]
    return this.#leaves ? ways : []
  }

  /**
   * One of a list. A click or Enter chooses.
   *
   * @template {QuickPickItem} T
   * @param {Place & {prompt: string, placeholder?: string, items: T[], active?: T}} options
   * @returns {Promise<T | typeof BACK>}
   */
  async pick({ items, active, prompt, placeholder, ...place }) {
    const pick = /** @type {QuickPick<T>} */ (vscode.window.createQuickPick())
    Object.assign(pick, { items, prompt, placeholder, matchOnDescription: true })
    if (active) pick.activeItems = [active]
    return this.#step(pick, place, (choose) => {
      const [item] = pick.selectedItems
      if (item) choose(item)
    })
  }

  /**
   * Some of a list. `onTick` gets them at every change, `check` says what is
   * wrong with a choice, which then stays.
   *
   * @template {QuickPickItem} T
   * @param {Place & {prompt: string, placeholder?: string, items: T[], picked: T[], onTick: (items: T[]) => void, check: (items: T[]) => string | undefined}} options
   * @returns {Promise<T[] | typeof BACK>}
   */
  async pickSome({ items, picked, prompt, placeholder, onTick, check, ...place }) {
    const pick = /** @type {QuickPick<T>} */ (vscode.window.createQuickPick())
    Object.assign(pick, { canSelectMany: true, items, prompt, placeholder, matchOnDescription: true })
    pick.selectedItems = picked
    // In the order of the list, whatever order they were ticked in.
    const ticked = () => items.filter((item) => pick.selectedItems.includes(item))
    pick.onDidChangeSelection(() => {
      pick.prompt = prompt
      onTick(ticked())
    })
    return this.#step(pick, place, (choose) => {
      const chosen = ticked()
      const problem = check(chosen)
      if (problem === undefined) choose(chosen)
      else pick.prompt = `⚠ ${problem}`
    })
  }

  /**
   * A line of text. `check` is asked at every keystroke what is wrong; nothing
   * wrong is complained about before something was typed.
   *
   * @param {Place & {prompt: string, placeholder?: string, value: string, check: (typed: string) => string | undefined}} options
   *   `check` sees everything that is typed, whether it is kept in the end or not
   * @returns {Promise<string | typeof BACK>}
   */
  async input({ prompt, placeholder, value, check, ...place }) {
    const input = vscode.window.createInputBox()
    Object.assign(input, { prompt, placeholder, value })
    const complain = (/** @type {string} */ typed) => (input.validationMessage = check(typed))
    input.onDidChangeValue(complain)
    return this.#step(input, place, (choose) => {
      if (complain(input.value) === undefined) choose(input.value)
    })
  }

  /**
   * Shows a step until the person is done with it, one way or another.
   *
   * @template T
   * @param {QuickPick<any> | InputBox} view @param {Place} place
   * @param {(choose: (value: T) => void) => void} accept is called when the person says that they are done
   * @returns {Promise<T | typeof BACK>}
   */
  async #step(view, { step, total, back = step > 1 }, accept) {
    if (this.#signal.aborted) throw this.#signal.reason
    /** @type {QuickInputButton[]} */
    const buttons = []
    if (back) buttons.push(vscode.QuickInputButtons.Back)
    if (this.#leaves) buttons.push(parkButton, stopButton)
    Object.assign(view, { title: this.#title, buttons, ignoreFocusOut: true })
    if (step === 1) view.prompt = `${this.trouble}${view.prompt}`
    if (total > 1) Object.assign(view, { step, totalSteps: total })
    let onAbort = () => {}
    try {
      return await new Promise((resolve, reject) => {
        onAbort = () => reject(this.#signal.reason)
        this.#signal.addEventListener("abort", onAbort)
        view.onDidAccept(() => accept(resolve))
        view.onDidTriggerButton((button) => {
          if (button === parkButton) reject(new Left("park"))
          else if (button === stopButton) reject(new Left("stop"))
          else resolve(BACK)
        })
        view.onDidHide(() => reject(new Left("aside")))
        view.show()
      })
    } finally {
      this.#signal.removeEventListener("abort", onAbort)
      view.dispose()
    }
  }
}
