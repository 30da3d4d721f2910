/** @import { Browser, Profile, Tab } from "./browser.js" */

/**
 * A browser whose profiles and first tabs are lent to one test after the other:
 * opening them takes longer than many a test. What tests share by that is
 * nothing, because each has a page of an origin of its own, and whatever a page
 * keeps belongs to its origin.
 *
 * @param {Browser} browser
 * @returns {Browser}
 */
export function lending(browser) {
  /** Profiles that nobody has, by their looks. @type {Map<string, Lent>} */
  const idle = new Map()
  return {
    ...browser,
    async newProfile(look = {}) {
      const key = JSON.stringify(look)
      const profile = idle.get(key) ?? new Lent(await browser.newProfile(look))
      idle.delete(key)
      return {
        newTab: () => profile.newTab(),
        nextTab: () => profile.nextTab(),
        async close() {
          await profile.clear()
          idle.set(key, profile)
        },
      }
    },
  }
}

/** A profile that can be cleared. */
class Lent {
  #profile
  /** @type {Tab | undefined} */
  #spare
  /** @type {Set<Tab>} */
  #open = new Set()

  /** @param {Profile} profile */
  constructor(profile) {
    this.#profile = profile
  }

  async newTab() {
    const spare = this.#spare
    this.#spare = undefined
    return this.#lend(spare ?? (await this.#profile.newTab()))
  }

  async nextTab() {
    return this.#lend(await this.#profile.nextTab())
  }

  /** Closes all tabs but one, which it leaves blank. */
  async clear() {
    const [first, ...others] = this.#open
    this.#open.clear()
    for (const tab of others) await tab.close()
    await first?.goto("about:blank")
    if (this.#spare) await first?.close()
    else this.#spare = first
  }

  /** @param {Tab} tab @returns {Tab} */
  #lend(tab) {
    this.#open.add(tab)
    const { close } = tab
    return Object.assign(tab, {
      close: () => {
        this.#open.delete(tab)
        return close()
      },
    })
  }
}
