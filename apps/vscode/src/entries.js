// Parked calls in a folder, one file each, for windows that share the folder.

import { base64, bytes } from "./base64.js"

/** @import { Entry } from "../../../hosts/js/dist/store/parking.js" */

/**
 * A folder's files. `read` answers undefined for a file that is not there;
 * `rename` and `create` fail for one. What is called so already `rename`
 * replaces, and with it `create` fails.
 *
 * @typedef {object} Folder
 * @property {() => Promise<string[]>} names
 * @property {(name: string) => Promise<string | undefined>} read
 * @property {(name: string, text: string) => Promise<void>} write
 * @property {(from: string, to: string) => Promise<void>} rename
 * @property {(from: string, to: string) => Promise<void>} create
 * @property {(name: string) => Promise<void>} remove a file, which may be gone already
 */

/** How long a change takes at the very most, in milliseconds: whoever has held a file longer is gone. */
const longestChange = 5000

/** How old what a dead window was writing gets before it is removed, in milliseconds. */
const oldEnough = 60_000

/** How long to wait for somebody else's change before looking again, in milliseconds. */
const pause = 25

const suffix = ".json"
const held = ".held"
const next = ".held.next"

/**
 * Entries of a ParkingStore as files. Whoever changes an entry takes its file
 * away by another name, which one alone can do, and puts the new one in its
 * place.
 */
export class FileEntries {
  #folder
  /** Changes of this window, one after the other for each entry. @type {Map<string, Promise<unknown>>} */
  #last = new Map()

  /** @param {Folder} folder */
  constructor(folder) {
    this.#folder = folder
  }

  /** @returns {Promise<Entry[]>} */
  async all() {
    const names = await this.#folder.names()
    const ids = new Set(names.filter((name) => name.endsWith(suffix) || name.endsWith(held)).map((name) => name.slice(0, name.indexOf("."))))
    const entries = await Promise.all([...ids].map((id) => this.#read(id, names)))
    return entries.flatMap((entry) => entry ?? [])
  }

  /**
   * @template T
   * @param {string} id @param {(entry: Entry | undefined) => {entry: Entry | undefined, result: T}} change
   * @returns {Promise<T>}
   */
  change(id, change) {
    const done = (this.#last.get(id) ?? Promise.resolve()).then(() => this.#change(id, change))
    const last = done.catch(() => {}).then(() => void (this.#last.get(id) === last && this.#last.delete(id)))
    this.#last.set(id, last)
    return done
  }

  /**
   * @template T
   * @param {string} id @param {(entry: Entry | undefined) => {entry: Entry | undefined, result: T}} change
   * @returns {Promise<T>}
   */
  async #change(id, change) {
    const mine = await this.#hold(id)
    let changed
    try {
      changed = change(mine ? parse(await this.#folder.read(mine)) : undefined)
    } catch (error) {
      if (mine) await this.#place(mine, id, this.#folder.rename)
      throw error
    }
    if (changed.entry) {
      // The file with the new text appears whole, and the old one goes after it.
      const file = newName(id, next)
      await this.#folder.write(file, textOf(changed.entry))
      if (mine) await this.#place(file, id, this.#folder.rename)
      else if (!(await this.#create(id, file))) return this.#change(id, change)
    }
    if (mine) await this.#folder.remove(mine)
    return changed.result
  }

  /**
   * Puts a file of ours in the entry's place. VS Code then looks at what it has
   * moved and fails if another window has taken that already.
   *
   * @param {string} file @param {string} id @param {(from: string, to: string) => Promise<void>} move
   */
  async #place(file, id, move) {
    try {
      await move(file, id + suffix)
    } catch (error) {
      if ((await this.#folder.read(file)) !== undefined) throw error
    }
  }

  /** Puts a new entry's file in its place. False if another window was faster. @param {string} id @param {string} file */
  async #create(id, file) {
    try {
      await this.#place(file, id, this.#folder.create)
      return true
    } catch (error) {
      await this.#folder.remove(file)
      if ((await this.#folder.names()).some((name) => name.startsWith(`${id}.`))) return false
      throw error
    }
  }

  /** Takes an entry's file away, and returns what it is called meanwhile. Undefined if there is none. @param {string} id */
  async #hold(id) {
    const mine = await this.#take(id)
    for (const name of await this.#folder.names()) {
      // What was left by a window that died after its change was made, or before it.
      if ((mine && name !== mine && isHeld(name, id)) || (name.endsWith(next) && age(name) > oldEnough)) await this.#folder.remove(name)
    }
    return mine
  }

  /** @param {string} id */
  async #take(id) {
    for (;;) {
      const mine = newName(id, held) // with the time when it is taken, which may be long after the first look
      try {
        await this.#folder.rename(id + suffix, mine)
        return mine
      } catch {
        // The youngest: an older one was left by a window that died after its change was made.
        const [other] = (await this.#folder.names()).filter((name) => isHeld(name, id)).sort((a, b) => age(a) - age(b))
        if (other === undefined) {
          if ((await this.#folder.read(id + suffix)) === undefined) return
        } else if (age(other) > longestChange) {
          await this.#folder.rename(other, id + suffix).catch(() => {}) // or somebody else puts it back
        } else {
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
      }
    }
  }

  /** An entry, which somebody may be changing just now. @param {string} id @param {string[]} names */
  async #read(id, names) {
    for (const name of [id + suffix, ...names.filter((name) => isHeld(name, id)), id + suffix]) {
      const entry = parse(await this.#folder.read(name))
      if (entry) return entry
    }
  }
}

/** What a file is called that is this window's alone: it tells since when. @param {string} id @param {string} kind */
function newName(id, kind) {
  return `${id}.${Date.now()}.${crypto.randomUUID()}${kind}`
}

/** How long ago a file got its name, in milliseconds. A time far ahead is one of before the clock was set back. @param {string} name */
function age(name) {
  return Math.abs(Date.now() - Number(name.split(".")[1]))
}

/** @param {string} name @param {string} id */
function isHeld(name, id) {
  return name.startsWith(`${id}.`) && name.endsWith(held)
}

/** An entry as JSON: what is sealed is `{"base64": …}` there. @param {Entry} entry */
function textOf(entry) {
  return JSON.stringify(entry, (_, value) => (value instanceof Uint8Array ? { base64: base64(value) } : value))
}

/** @param {string | undefined} text @returns {Entry | undefined} */
function parse(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text, (_, value) => (typeof value?.base64 === "string" ? bytes(value.base64) : value))
  } catch {} // what was damaged cannot be resumed
}
