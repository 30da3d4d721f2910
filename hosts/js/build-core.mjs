// Puts what every host loads into one file, because a process takes longer to find and link fifty than to make its first
// call. The file of each source stays, with the names that it has, for whatever else imports it.
import { writeFileSync } from "node:fs"
import { posix, relative } from "node:path"

import { build } from "esbuild"

/** @import { BuildOptions, Plugin } from "esbuild" */

/** What makes the engine: each finds the module beside its own file. */
const entries = ["node.js", "browser.js", "inline.js"]

const core = "parley.js"

/** What is loaded where it is needed. */
const apart = ["engine/embedded.js"]

/** @param {BuildOptions} shape @param {string} banner what has to be said about what comes into it */
export async function buildCore(shape, banner) {
  const whole = { ...shape, external: ["node:*"], plugins: [leavesApart] }
  const { metafile } = await build({ ...whole, entryPoints: entries.map(source), outdir: "dist", write: false, metafile: true })
  const parts = Object.keys(metafile.inputs).flatMap((path) => (path.startsWith("src/") ? [path.slice(4)] : [])).filter((path) => !entries.includes(path))
  const names = await namesIn(parts)
  const contents = parts.map((part) => `export * from "./${source(part)}"`).join("\n")
  await build({ ...whole, stdin: { contents, resolveDir: "." }, outfile: `dist/${core}`, banner: { js: banner } })
  for (const part of parts) writeFileSync(`dist/${part}`, fromCore(names.get(part), part))
  await build({ ...whole, entryPoints: entries.map(source), outdir: "dist", plugins: [leavesApart, takesFromCore(names)] })
}

/** @param {string} path */
const source = (path) => `src/${path}`

/** Where an import leads, in src. @param {{path: string, resolveDir: string}} imported */
const target = ({ path, resolveDir }) => relative("src", posix.join(resolveDir, path))

/** The names of each source. No two may have one name for two things. @param {string[]} parts */
async function namesIn(parts) {
  const { metafile } = await build({ entryPoints: parts.map(source), outdir: "dist", outbase: "src", format: "esm", write: false, metafile: true })
  /** @type {Map<string, string[]>} */
  const names = new Map()
  /** @type {Map<string, string>} */
  const owners = new Map()
  for (const { entryPoint = "", exports } of Object.values(metafile.outputs)) {
    const part = entryPoint.slice(4)
    names.set(part, exports)
    if (part === "index.js") continue // which has others' names
    for (const name of exports) {
      if (owners.has(name)) throw new Error(`${name} is exported by ${owners.get(name)} and by ${part}: one of them needs another name`)
      owners.set(name, part)
    }
  }
  return names
}

/** A file that has its names from the one file. @param {string[]} names @param {string} at its path */
function fromCore(names = [], at = "") {
  const path = posix.relative(posix.dirname(at), core)
  return names.length ? `export { ${names.join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}"\n` : "export {}\n"
}

/** @type {Plugin} */
const leavesApart = {
  name: "apart",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, (imported) => {
      const path = target(imported)
      return apart.includes(path) ? { path: `./${path}`, external: true } : undefined
    })
  },
}

/** Has the sources come from the one file. @param {Map<string, string[]>} names @returns {Plugin} */
const takesFromCore = (names) => ({
  name: "core",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, (imported) => {
      if (imported.namespace === "core") return { path: imported.path, external: true }
      const path = target(imported)
      return names.has(path) ? { path, namespace: "core" } : undefined
    })
    build.onLoad({ filter: /./, namespace: "core" }, ({ path }) => ({ contents: fromCore(names.get(path)) }))
  },
})
