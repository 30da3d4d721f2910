import { fileURLToPath } from "node:url"

import { build } from "esbuild"

/** The versions of React, and the folders that have them. */
export const reacts = /** @type {const} */ ([["18", "./react-18/"], ["19", "./"]])

/**
 * A script of this folder with one version of React in it.
 *
 * @param {string} folder @param {string} entry @param {"browser" | "node"} platform @param {"esm" | "iife" | "cjs"} [format]
 * @returns {Promise<string>}
 */
export async function bundle(folder, entry, platform, format = platform === "node" ? "cjs" : "esm") {
  const modules = new URL(`${folder}node_modules/`, import.meta.url)
  const alias = Object.fromEntries(["react", "react-dom"].map((name) => [name, fileURLToPath(new URL(name, modules))]))
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    alias,
    bundle: true,
    format,
    platform,
    target: "es2022",
    jsx: "automatic",
    jsxDev: true,
    define: { "process.env.NODE_ENV": '"development"' }, // StrictMode does nothing else
    write: false,
    legalComments: "none",
    logLevel: "error",
  })
  return outputFiles[0]?.text ?? ""
}
