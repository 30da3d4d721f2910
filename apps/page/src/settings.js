// What the person lets servers ask of this page. It is kept in the browser.

import { exampleModel } from "./sampler.js"

/** @import { Asker, Askers } from "@parley-mcp/parley" */
/** @import { Root } from "./roots.js" */

/**
 * Who answers a server's prompts: a model, the person, or nobody, so that no
 * server may ask.
 *
 * @typedef {"model" | "person" | "nobody"} Samples
 */

const key = "parley-chat-settings"

export class Settings extends EventTarget {
  /** @type {Root[]} */
  roots = []
  shareRoots = true
  /** @type {Samples} */
  samples = "model"

  constructor() {
    super()
    this.#load()
    // Another tab has changed them.
    addEventListener("storage", (event) => {
      if (event.key === key) this.#load()
    })
  }

  /** The model, if there is one to ask. */
  get sampler() {
    return this.samples === "model" ? exampleModel : undefined
  }

  /** What servers may ask for, all for the same asker to answer. @param {Asker} ask @returns {Askers} */
  askers(ask) {
    return { elicit: ask, elicitURL: ask, ...(this.samples !== "nobody" && { sample: ask }), ...(this.shareRoots && { listRoots: ask }), tasks: true }
  }

  /** @param {Root} root */
  addRoot(root) {
    if (!this.roots.some(({ uri }) => uri === root.uri)) this.change({ roots: [...this.roots, root] })
  }

  /** @param {{roots?: Root[], shareRoots?: boolean, samples?: Samples}} change */
  change(change) {
    Object.assign(this, change)
    try {
      localStorage.setItem(key, JSON.stringify({ roots: this.roots, shareRoots: this.shareRoots, samples: this.samples }))
    } catch {} // they hold for this tab then
    this.dispatchEvent(new Event("change"))
  }

  #load() {
    try {
      const { roots, shareRoots, samples } = JSON.parse(localStorage.getItem(key) ?? "{}")
      if (Array.isArray(roots)) this.roots = roots.filter((one) => typeof one?.uri === "string" && typeof one?.name === "string")
      if (typeof shareRoots === "boolean") this.shareRoots = shareRoots
      if (["model", "person", "nobody"].includes(samples)) this.samples = samples
    } catch {} // as if there were none
    this.dispatchEvent(new Event("change"))
  }
}
