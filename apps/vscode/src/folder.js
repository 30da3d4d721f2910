import * as vscode from "vscode"

/** @import { Uri } from "vscode" */
/** @import { Folder } from "./entries.js" */

/** A folder of VS Code's, wherever that is. It is made when it is needed. @param {Uri} home @returns {Folder} */
export function folderAt(home) {
  const { fs } = vscode.workspace
  const at = (/** @type {string} */ name) => vscode.Uri.joinPath(home, name)
  return {
    async names() {
      try {
        return (await fs.readDirectory(home)).map(([name]) => name)
      } catch (error) {
        if (isMissing(error)) return []
        throw error
      }
    },
    async read(name) {
      try {
        return new TextDecoder().decode(await fs.readFile(at(name)))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    async write(name, text) {
      await fs.createDirectory(home)
      await fs.writeFile(at(name), new TextEncoder().encode(text))
    },
    rename: async (from, to) => fs.rename(at(from), at(to), { overwrite: true }),
    create: async (from, to) => fs.rename(at(from), at(to), { overwrite: false }),
    async remove(name) {
      try {
        await fs.delete(at(name))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
  }
}

/**
 * Where the calls of this workspace are kept. Not the workspace's own storage:
 * of that a second window on the same folders gets another one.
 *
 * @param {Uri} storage of the extension, for all workspaces
 */
export async function homeOf(storage) {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace
  const name = workspaceFile?.toString() ?? workspaceFolders.map(({ uri }) => uri.toString()).join("\n")
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name)))
  const key = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")
  return vscode.Uri.joinPath(storage, "calls", key)
}

/** @param {unknown} error */
function isMissing(error) {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound"
}
