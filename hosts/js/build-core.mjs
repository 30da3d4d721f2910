// Puts what every host loads into one file, because a process takes longer to find and link fifty than to make its first
// call. The file of each source stays, with the names that it has, for whatever else imports it.
import { writeFileSync } from "node:fs"
import { basename } from "node:path"

import { build } from "esbuild"

/** @import { BuildOptions, Plugin } from "esbuild" */

/** What makes the engine: each finds the module beside its own file. */
const entries = ["node.js", "browser.js", "inline.js"]

const core = "parley.js"

/** What is loaded where it is needed, or from elsewhere. */
const external = [`./${core}`, "./carried.js", "node:*"]

/** @param {BuildOptions} shape @param {string} banner what has to be said about what comes into it */
export async function buildCore(shape, banner) {
  const { metafile } = await build({ ...shape, external, entryPoints: entries.map(source), outdir: "dist", write: false, metafile: true })
  const parts = Object.keys(metafile.inputs).filter((path) => path === source(basename(path)) && !entries.includes(basename(path))).map((path) => basename(path))
  const names = await namesIn(parts)
  const contents = parts.map((part) => `export * from "./${source(part)}"`).join("\n")
  await build({ ...shape, external, stdin: { contents, resolveDir: "." }, outfile: `dist/${core}`, banner: { js: banner } })
  for (const part of parts) writeFileSync(`dist/${part}`, names.get(part) ?? "")
  await build({ ...shape, external, entryPoints: entries.map(source), outdir: "dist", plugins: [from(names)] })
}

/** @param {string} name */
const source = (name) => `src/${name}`

/** Of each source, its names as they come from the one file. No two may have one name for two things. @param {string[]} parts */
async function namesIn(parts) {
  const { metafile } = await build({ entryPoints: parts.map(source), outdir: "dist", format: "esm", write: false, metafile: true })
  /** @type {Map<string, string>} */
  const names = new Map()
  /** @type {Map<string, string>} */
  const owners = new Map()
  for (const { entryPoint = "", exports } of Object.values(metafile.outputs)) {
    const part = basename(entryPoint)
    names.set(part, exports.length ? `export { ${exports.join(", ")} } from "./${core}"\n` : "export {}\n")
    if (part === "index.js") continue // which has others' names
    for (const name of exports) {
      if (owners.has(name)) throw new Error(`${name} is exported by ${owners.get(name)} and by ${part}: one of them needs another name`)
      owners.set(name, part)
    }
  }
  return names
}

/** Has the sources come from the one file. @param {Map<string, string>} names @returns {Plugin} */
const from = (names) => ({
  name: "core",
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path }) => (names.has(basename(path)) ? { path: basename(path), namespace: "core" } : undefined))
    build.onLoad({ filter: /./, namespace: "core" }, ({ path }) => ({ contents: names.get(path) }))
  },
})
