// Parked calls in a folder, one file each, for windows that share the folder.

/** @import { Entry } from "../../../hosts/js/dist/store.js" */

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

/** How long to wait for somebody else's change before looking again, in milliseconds. */
const pause = 25

const suffix = ".json"
const held = ".held"

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
    const mine = `${id}.${Date.now()}.${crypto.randomUUID()}${held}`
    const had = await this.#hold(id, mine)
    let changed
    try {
      changed = change(had ? parse(await this.#folder.read(mine)) : undefined)
    } catch (error) {
      if (had) await this.#place(mine, id, this.#folder.rename)
      throw error
    }
    if (changed.entry) {
      // The file with the new text appears whole, and the old one goes after it.
      const next = `${mine}.next`
      await this.#folder.write(next, JSON.stringify(changed.entry))
      if (had) await this.#place(next, id, this.#folder.rename)
      else if (!(await this.#create(id, next))) return this.#change(id, change)
    }
    if (had) await this.#folder.remove(mine)
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

  /** Puts a new entry's file in its place. False if another window was faster. @param {string} id @param {string} next */
  async #create(id, next) {
    try {
      await this.#place(next, id, this.#folder.create)
      return true
    } catch (error) {
      await this.#folder.remove(next)
      if ((await this.#folder.names()).some((name) => name.startsWith(`${id}.`))) return false
      throw error
    }
  }

  /** Takes an entry's file away. False if there is none. @param {string} id @param {string} mine */
  async #hold(id, mine) {
    for (;;) {
      try {
        await this.#folder.rename(id + suffix, mine)
        break
      } catch {
        const [other] = await this.#held(id)
        if (other === undefined) {
          if ((await this.#folder.read(id + suffix)) === undefined) return false
        } else if (Math.abs(Date.now() - Number(other.split(".")[1])) > longestChange) {
          await this.#folder.rename(other, id + suffix).catch(() => {}) // or somebody else puts it back
        } else {
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
      }
    }
    // What was left by a window that died after its change was made.
    for (const left of await this.#held(id)) if (left !== mine) await this.#folder.remove(left)
    return true
  }

  /** @param {string} id */
  async #held(id) {
    return (await this.#folder.names()).filter((name) => name.startsWith(`${id}.`) && name.endsWith(held))
  }

  /** An entry, which somebody may be changing just now. @param {string} id @param {string[]} names */
  async #read(id, names) {
    for (const name of [id + suffix, ...names.filter((name) => name.startsWith(`${id}.`) && name.endsWith(held)), id + suffix]) {
      const entry = parse(await this.#folder.read(name))
      if (entry) return entry
    }
  }
}

/** @param {string | undefined} text @returns {Entry | undefined} */
function parse(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {} // what was damaged cannot be gone on with
}
