// What a server sets by Set-Cookie, in memory, and for its URL alone: balancers pin sessions by it. hosts/testdata/cookies
// has the rules, which are those of hosts/go and hosts/python, too. A browser keeps cookies itself and shows none.
import { isLoopback } from "./loopback.js"

/** How many are kept: if there is one more, the one goes that was set longest ago. */
const mostCookies = 50
/** Bytes of a name and its value together. */
const longestCookie = 4096

/** `until` is in Unix milliseconds, and Infinity if it lasts as long as the session. @typedef {{name: string, value: string, path: string, until: number}} Cookie */

/** The cookies of one session, whose requests all go to one URL. */
export class CookieJar {
  #path
  #secure
  #account = 0
  #current

  /** @param {URL} url */
  constructor(url) {
    this.#path = url.pathname
    this.#secure = url.protocol === "https:" || isLoopback(url)
    this.#current = this.#none()
  }

  /**
   * The cookies of the account that was the n-th to sign in after the first. A
   * later account begins with none, and those of the one before are gone. An
   * earlier one has none either, and what is set for it is not kept.
   *
   * @param {number} account
   */
  of(account) {
    if (account < this.#account) return this.#none()
    if (account > this.#account) this.#current = this.#none()
    this.#account = account
    return this.#current
  }

  #none() {
    return new Cookies(this.#path, this.#secure)
  }
}

/** Those of one account. */
export class Cookies {
  #path
  #secure
  /** In the order in which they were set. @type {Cookie[]} */
  #kept = []

  /** @param {string} path that requests go to @param {boolean} secure whether nobody else reads what goes there */
  constructor(path, secure) {
    this.#path = path
    this.#secure = secure
  }

  /** Keeps what the Set-Cookie fields of a response set. What cannot be used is left out. @param {string[]} fields @param {number} now */
  take(fields, now) {
    for (const field of fields) {
      const set = read(field, now)
      if (!set || (set.secure && !this.#secure)) continue
      const { name, value, until, path = this.#path.slice(0, this.#path.lastIndexOf("/")) || "/" } = set
      if (!covers(path, this.#path)) continue
      const others = this.#kept.filter((old) => old.until > now && !(old.name === name && old.path === path))
      if (until > now) others.push({ name, value, path, until })
      this.#kept = others.slice(-mostCookies)
    }
  }

  /**
   * The value of the Cookie field for a request; undefined if there is none.
   *
   * Source: RFC 6265, 5.4: longer paths first, because servers take the first of
   * two cookies with one name.
   *
   * @param {number} now
   */
  field(now) {
    this.#kept = this.#kept.filter(({ until }) => until > now)
    const sorted = [...this.#kept].sort((a, b) => b.path.length - a.path.length)
    return sorted.map(({ name, value }) => `${name}=${value}`).join("; ") || undefined
  }
}

/** Whether a cookie's path is that of a request or above it: RFC 6265, 5.1.4. @param {string} above @param {string} path */
function covers(above, path) {
  return path === above || path.startsWith(above.endsWith("/") ? above : `${above}/`)
}

/**
 * Reads a Set-Cookie field. Names and values go back as they came, byte for byte.
 * One with a control character, or longer than may be, is not kept. What else the
 * server says about a cookie does not matter here: there is one host that it could
 * go to, whatever its Domain, and no page that could read it.
 *
 * Source: RFC 6265, 5.2.
 *
 * @param {string} field whose characters are bytes @param {number} now
 */
function read(field, now) {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(field)) return
  const [pair = "", ...attributes] = field.split(";")
  if (!pair.includes("=")) return
  const [name, value] = halves(pair)
  if (!name || name.length + value.length > longestCookie) return
  const said = new Map(attributes.map((attribute) => halves(attribute)).map(([name, value]) => [name.toLowerCase(), value]))
  const path = said.get("path")
  return { name, value, path: path?.startsWith("/") ? path : undefined, secure: said.has("secure"), until: lasts(said.get("max-age") ?? "", said.get("expires") ?? "", now) }
}

/** What is before an equals sign and what is after it. @param {string} text @returns {[string, string]} */
function halves(text) {
  const at = text.indexOf("=")
  return at < 0 ? [trimmed(text), ""] : [trimmed(text.slice(0, at)), trimmed(text.slice(at + 1))]
}

/** Without blanks around it. What else String.trim takes away may be a byte of a letter. @param {string} text */
function trimmed(text) {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text[from])) from++
  while (to > from && isBlank(text[to - 1])) to--
  return text.slice(from, to)
}

/** @param {string | undefined} char */
const isBlank = (char) => char === " " || char === "\t"

/** Until when a cookie lasts. Max-Age counts before Expires. @param {string} age @param {string} expires @param {number} now */
function lasts(age, expires, now) {
  return /^-?\d+$/.test(age) ? now + 1000 * Number(age) : (dateOf(expires) ?? Infinity)
}

/** How servers write dates: RFC 9110, 5.6.7, and with dashes as PHP did. */
const dates = [
  /^[a-z]+, (?<day>\d\d?)[ -](?<month>[a-z]{3})[ -](?<year>\d{4}|\d\d) (?<time>\d\d:\d\d:\d\d) [a-z]+$/i,
  /^[a-z]+ (?<month>[a-z]{3}) {1,2}(?<day>\d\d?) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i,
]

/** @param {string} text @returns {number | undefined} Unix milliseconds */
function dateOf(text) {
  const { day = "", month = "", year = "", time = "" } = dates.map((form) => form.exec(text)?.groups).find(Boolean) ?? {}
  const full = year.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year
  const at = Date.parse(`${day.padStart(2, "0")} ${month} ${full} ${time} GMT`)
  return new Date(at).getUTCDate() === Number(day) ? at : undefined // no 31st of June
}
