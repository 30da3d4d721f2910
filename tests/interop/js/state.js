import { Pages } from "./pages.js"

/** What the features remember from one call to another, over all sessions. */
export class State {
  /** @type {Map<string, number>} */
  charges = new Map()
  /** @type {Map<string, string>} */
  outcomes = new Map()
  /** The page that a session must visit. @type {Map<string | undefined, string>} */
  required = new Map()

  /** @param {Pages} pages */
  constructor(pages) {
    this.pages = pages
  }

  static async open() {
    return new State(await Pages.open())
  }

  /** @param {string} id */
  charge(id) {
    this.charges.set(id, (this.charges.get(id) ?? 0) + 1)
  }
}
