// Where secrets must not be: in anything that a program writes, shows or is started with.
//
//   node secrets.js CONTROL PATH...
//
// searches files and folders for every secret of the authorization server with this control interface, says how much
// was searched, and exits with 1 if something was found. CONTROL comes from the environment if it is "-".

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * Fails if a secret is in one of the texts or in a file below one of the folders, as it is or in one of the spellings it
 * gets on its way: percent-encoded, as base64 or hexadecimal, or within a JSON string. The error says where and which
 * kind of spelling, never the secret.
 *
 * @param {Iterable<string>} secrets
 * @param {{folders?: string[], texts?: Record<string, string | Buffer>}} places
 * @returns {{secrets: number, places: number}} how much was searched, because nothing is found in nothing
 */
export function assertNoSecrets(secrets, { folders = [], texts = {} }) {
  const places = new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]))
  for (const folder of folders) for (const file of files(folder)) places.set(file, readFileSync(file))
  const wanted = [...secrets].flatMap((secret, i) => spellings(secret).map(([spelling, bytes]) => ({ i, spelling, bytes })))
  const found = []
  for (const [name, content] of places) {
    for (const { i, spelling, bytes } of wanted) {
      if (content.includes(bytes) || name.includes(bytes.toString())) found.push(`secret ${i + 1} (${spelling}) is in ${name.includes(bytes.toString()) ? "a file's name" : name}`)
    }
  }
  if (found.length > 0) throw new Error(found.join("\n"))
  return { secrets: new Set(wanted.map(({ i }) => i)).size, places: places.size }
}

/** @param {string} secret @returns {[string, Buffer][]} */
function spellings(secret) {
  const plain = Buffer.from(secret)
  // Base64 of something longer has it at one of three offsets; the characters at the ends depend on what is beside it.
  const within = (/** @type {BufferEncoding} */ encoding) =>
    [0, 1, 2].map((offset) => Buffer.concat([Buffer.alloc(offset), plain]).toString(encoding).slice(offset === 0 ? 0 : offset + 1, -4).replace(/=+$/, ""))
  /** @type {[string, string][]} */
  const all = [
    ["as it is", secret],
    ["percent-encoded", encodeURIComponent(secret)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["hexadecimal", plain.toString("hex")],
    ...within("base64").map((text) => /** @type {[string, string]} */ (["base64", text])),
    ...within("base64url").map((text) => /** @type {[string, string]} */ (["base64url", text])),
  ]
  return all.filter(([, text], i) => i === 0 || text !== secret).map(([spelling, text]) => [spelling, Buffer.from(text)])
}

/** @param {string} folder @returns {string[]} */
function files(folder) {
  if (!statSync(folder).isDirectory()) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? files(path) : entry.isFile() ? [path] : []
  })
}

/** What this process's children, and theirs, were started with. @returns {Record<string, string>} */
export function processArguments() {
  /** @type {Map<number, {parent: number, words: string}>} */
  const all = new Map()
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const parent = Number(/\) . (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, "utf8"))?.[1])
      all.set(Number(entry), { parent, words: readFileSync(`/proc/${entry}/cmdline`, "utf8") })
    } catch {
      // It has ended meanwhile.
    }
  }
  /** @type {Record<string, string>} */
  const found = {}
  for (const [pid, { words }] of all) {
    let up = pid
    while (up > 1 && up !== process.pid) up = all.get(up)?.parent ?? 0
    if (up === process.pid) found[`arguments of process ${pid}`] = words
  }
  return found
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [control = "-", ...folders] = process.argv.slice(2)
  const secrets = await (await fetch(`${control === "-" ? process.env.CONTROL : control}/secrets`)).json()
  console.log(assertNoSecrets(secrets, { folders }))
}
