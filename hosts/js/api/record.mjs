// What the package offers, as TypeScript sees it: the names of its entries, and
// every declaration that they lead to, without comments. It is recorded in
// parley.d.ts, so that a change of it is seen. Usage: npm run api
import { readFileSync, writeFileSync } from "node:fs"
import { posix } from "node:path"

const dist = new URL("../dist/", import.meta.url)
export const recorded = new URL("parley.d.ts", import.meta.url)

/** @typedef {{text: string, name?: string, exported: boolean}} Statement */
/** A file: what it declares, and where its other names come from. @typedef {{own: Map<string, Statement>, from: Map<string, [file: string, name: string]>, exports: Map<string, [file: string, name: string]>, all: string[]}} Declarations */

/** @type {Map<string, Declarations>} */
const files = new Map()

/** What is offered, as text to be recorded. */
export function offered() {
  const { name, exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  /** By file. @type {Map<string, Set<string>>} */
  const reached = new Map()
  const lines = ["// Recorded by npm run api: what the package offers. Nothing is taken away once it was published."]
  /** The entries by their names. @type {Map<string, string>} */
  const entries = new Map()
  for (const [entry, target] of Object.entries(exports)) {
    for (const [condition, path] of Object.entries(typeof target === "string" ? { "": target } : target)) {
      if (!path.endsWith(".js")) {
        lines.push(`// ${name}${entry.slice(1)}`)
        continue
      }
      const names = namesOf(path.replace("./dist/", "").replace(/\.js$/, ".d.ts"))
      for (const [file, name] of names.values()) reach(file, name, reached)
      const says = `// ${name}${entry.slice(1)}${condition && ` (${condition})`}`
      const listed = [...names.keys()].sort().join("\n//   ")
      lines.push(entries.has(listed) ? `${says}: as ${entries.get(listed)}` : `${says}:\n//   ${listed}`)
      if (!entries.has(listed)) entries.set(listed, says.slice(3))
    }
  }
  for (const file of [...reached.keys()].sort()) {
    lines.push("", `// ${file}`)
    for (const [name, { text }] of read(file).own) if (reached.get(file)?.has(name)) lines.push(text)
  }
  return `${lines.join("\n")}\n`
}

/** The names that a file exports, and where each is declared. @param {string} file @returns {Map<string, [file: string, name: string]>} */
function namesOf(file) {
  const { own, exports, all } = read(file)
  /** @type {Map<string, [string, string]>} */
  const names = new Map(all.flatMap((other) => [...namesOf(other)]))
  for (const [name, { exported }] of own) if (exported) names.set(name, [file, name])
  for (const [name, [from, original]] of exports) names.set(name, namesOf(from).get(original) ?? [from, original])
  return names
}

/** Notes a declaration, and those that it is made of. @param {string} file @param {string} name @param {Map<string, Set<string>>} reached */
function reach(file, name, reached) {
  const { own, from } = read(file)
  const declared = own.get(name)
  const names = reached.get(file) ?? new Set()
  if (!declared || names.has(name)) return
  reached.set(file, names.add(name))
  for (const [, other = "", inside = ""] of declared.text.matchAll(/import\("(\.[\w./-]+)\.js"\)\.(\w+)/g)) reach(beside(file, other), inside, reached)
  for (const word of new Set(declared.text.match(/[\w$]+/g))) {
    const [there, original] = from.get(word) ?? [file, word]
    reach(there, original, reached)
  }
}

/** @param {string} file @returns {Declarations} */
function read(file) {
  const known = files.get(file)
  if (known) return known
  /** @type {Declarations} */
  const found = { own: new Map(), from: new Map(), exports: new Map(), all: [] }
  files.set(file, found)
  for (const text of statements(readFileSync(new URL(file, dist), "utf8"))) {
    const [, verb, names, all, other] = /^(import|export)(?: type)? (?:\{(.*)\}|(\*))(?: from "(\.[\w./-]+)\.js")?;$/s.exec(text) ?? []
    if (all && other) found.all.push(beside(file, other))
    for (const pair of names?.split(",") ?? []) {
      const [original = "", as = original] = pair.trim().split(" as ")
      if (original && other) (verb === "import" ? found.from : found.exports).set(as, [beside(file, other), original])
    }
    const [, exported, name] = /^(export )?(?:declare )?(?:default )?(?:abstract )?(?:class|function|const|type|interface) ([\w$]+)/.exec(text) ?? []
    if (!name) continue
    const before = found.own.get(name) // a function may be declared several times
    found.own.set(name, { text: before ? `${before.text}\n${text}` : text, exported: exported !== undefined })
  }
  return found
}

/** The file that another one imports. @param {string} file @param {string} path without its ending */
const beside = (file, path) => `${posix.join(posix.dirname(file), path)}.d.ts`

/** The statements of declarations as tsc writes them, without comments. @param {string} text */
function* statements(text) {
  let statement = ""
  for (const line of text.replace(/\/\*.*?\*\//gs, "").replace(/^\s*\/\/.*$/gm, "").split("\n")) {
    if (!line.trim()) continue
    statement += (statement && "\n") + line.trimEnd()
    const open = (statement.match(/[{([]/g) ?? []).length - (statement.match(/[})\]]/g) ?? []).length
    if (open > 0 || !/[;}]$/.test(statement)) continue
    yield statement
    statement = ""
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(recorded, offered())
