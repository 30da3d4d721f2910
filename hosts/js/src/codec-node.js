import { readFileSync } from "node:fs"
import { open, readFile } from "node:fs/promises"

import { Guard } from "./codec/guard.js"
import { compile } from "./engine/compile.js"

export * from "./codec/index.js"

/** @import { CodecOptions } from "./codec/index.js" */
/** @import { GuardOptions, GuardSource } from "./codec/guard.js" */

/** The module from beside this file, once it was needed. @type {WebAssembly.Module | undefined} */
let beside

/**
 * A Guard: seals and opens the states of a server under MCP's rules. It checks
 * which request a state belongs to, whose it is, until when it may come back,
 * which questions were asked and how many rounds there were. Fails with a
 * CodecError of Reason.key or Reason.options.
 *
 * In Node nothing has to be given, see {@link GuardSource}; the module is read
 * from beside this file if it is left out.
 *
 * @param {Partial<GuardSource> & CodecOptions & GuardOptions} options
 */
export function createGuard(options = {}) {
  const module = options.module ?? (beside ??= new WebAssembly.Module(readFileSync(new URL("./parley-codec.wasm", import.meta.url))))
  return new Guard({ ...options, module })
}

/**
 * Compiles the codec's module, in Node. By default it is read from beside this
 * file; URLs may be of files.
 *
 * @param {{source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>}} [options]
 */
export async function compileCodec({ source = new URL("./parley-codec.wasm", import.meta.url) } = {}) {
  const from = await source
  const file = (from instanceof URL || typeof from === "string") && String(from).startsWith("file:")
  return compile(file ? await readFile(new URL(from)) : from)
}

/** The longest key file read, in bytes. */
const maxKeyFile = 64 << 10

/**
 * Reads a key file, for the option `keys`. It is a secret; wipe it with
 * fill(0). Rejects for a file that others than its owner may use, where the
 * system tells, and for one of more than 64 KiB.
 *
 * @param {string | URL} name
 */
export async function readKeyFile(name) {
  const file = await open(name)
  try {
    const { mode } = await file.stat()
    if (mode & 0o077 && process.platform !== "win32") {
      throw new Error(`parley: the key file ${name} can be used by others (mode ${(mode & 0o777).toString(8).padStart(4, "0")}): run  chmod 600 ${name}`)
    }
    const text = new Uint8Array(maxKeyFile + 1)
    let size = 0
    for (let read = 1; read > 0; size += read) ({ bytesRead: read } = await file.read(text, size, text.length - size))
    if (size > maxKeyFile) {
      text.fill(0)
      throw new Error(`parley: the key file ${name} has more than ${maxKeyFile} bytes`)
    }
    return text.subarray(0, size)
  } finally {
    await file.close()
  }
}
