// Bundles a small host from what npm would publish, by Vite and by esbuild, and
// runs it in Chromium: it has to complete a call. So has the first host of the
// package's README, whose form is filled in by keyboard. Usage: node bundlers.mjs
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

import * as esbuild from "esbuild"
import * as vite from "vite"

import { startGoServer } from "../test/go-server.js"
import { launch, missing } from "./launch.mjs"
import { measured } from "./place.mjs"
import { startSite } from "./site.mjs"

/** @import { Page } from "playwright-core" */
/** @import { Place } from "./place.mjs" */

const skip = 77

/** Builds folder/main.js and its index.html into folder/out. @typedef {(folder: string) => Promise<unknown>} Build */

/** @type {Build} */
const byVite = (folder) =>
  vite.build({ root: folder, base: "./", configFile: false, logLevel: "warn", build: { outDir: "out" }, worker: { format: "es" } })

/** @type {Build} */
const byEsbuild = async (folder) => {
  const loader = /** @type {const} */ ({ ".wasm": "file" })
  await esbuild.build({ entryPoints: [join(folder, "main.js")], outdir: join(folder, "out"), bundle: true, format: "esm", minify: true, loader })
  cpSync(join(folder, "index.html"), join(folder, "out/index.html"))
}

/** @type {Record<string, [entry: string, build: Build]>} */
const bundles = {
  "vite, default entry": ["beside.js", byVite],
  "vite, default entry in a worker": ["worker.js", byVite],
  "vite, inline entry": ["inline.js", byVite],
  "esbuild, inline entry": ["inline.js", byEsbuild],
  "esbuild, default entry with a copied module": ["source.js", byEsbuild],
}

const programs = missing("chromium")
if (programs.length) {
  console.log(`bundlers: skipped: there is no ${programs.join(" and no ")} on the PATH: run hosts/js/browsers/setup.sh`)
  process.exit(skip)
}

const work = mkdtempSync(join(tmpdir(), "parley-"))
process.once("exit", () => rmSync(work, { recursive: true }))
unpack(join(work, "node_modules/@parley-mcp/parley"))

const site = await startSite({ "/": pathToFileURL(`${work}/`) })
const server = await startGoServer(["-origin", site.origin])
const browser = await launch("chromium")
try {
  for (const [name, [entry, build]] of Object.entries(bundles)) await measured(name, site, browser, (place) => bundled(place, name, entry, build))
  await measured("the README's host, by keyboard", site, browser, readme)
} finally {
  await browser.close()
  server.stop()
  site.stop()
}

/** @param {Place} place @param {string} name @param {string} entry @param {Build} build */
async function bundled(place, name, entry, build) {
  const folder = name.replaceAll(/\W+/g, "-")
  cpSync(new URL("bundle/", import.meta.url), join(work, folder), { recursive: true })
  cpSync(join(work, folder, entry), join(work, folder, "main.js"))
  await build(join(work, folder))
  const page = await place.open({ server: server.url }, `/${folder}/out/index.html`)
  await page.until()
  await page.close()
}

/** The first snippet of the README, as a page of its own. @param {Place} place */
async function readme(place) {
  const [, snippet = ""] = /^```js\n(.*?)^```$/ms.exec(readFileSync(new URL("../README.md", import.meta.url), "utf8")) ?? []
  const folder = join(work, "readme")
  mkdirSync(folder)
  cpSync(new URL("bundle/index.html", import.meta.url), join(folder, "index.html"))
  writeFileSync(join(folder, "main.js"), snippet.replace("http://127.0.0.1:8080/mcp", server.url))
  await byVite(folder)
  /** @type {[keys: string[], want: string][]} */
  const ways = [
    [["Tab", "ArrowDown", "Tab", "Enter"], "°F"], // to the field, to the other choice, to Send
    [["Enter", "Space", "Tab", "Tab", "Enter"], "°C"], // what was typed before the person looked does nothing
    [["Escape"], "cancelled"],
  ]
  for (const [keys, want] of ways) {
    const page = /** @type {Page} */ (await browser.open(`${site.origin}/readme/out/index.html`))
    await page.getByRole("dialog", { name: "The server asks" }).getByText("Which units should the weather in Oslo be in?").waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await page.getByText(want).waitFor()
    await page.close()
    place.tests.add(`${keys.join(" ")}: ${want}`)
  }
}

/** Puts the package where a bundler finds it, as npm would. @param {string} folder */
function unpack(folder) {
  const cwd = fileURLToPath(new URL("../", import.meta.url))
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", work], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["-xzf", join(work, packed.filename), "-C", folder, "--strip-components=1"])
}
