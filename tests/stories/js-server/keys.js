import { compileCodec, createGuard, newKey, readKeyFile } from "@parley-mcp/parley/codec"

/**
 * The Guard of this process: on the keys of a file, which is read again at each
 * SIGHUP, or on a key of its own. A file that cannot be used then changes
 * nothing.
 *
 * @param {{keyFile?: string, audience: string, ttl: number, log: (line: string) => void}} options
 */
export async function guardOf({ keyFile, audience, ttl, log }) {
  const read = async () => (keyFile === undefined ? newKey() : readKeyFile(keyFile))
  const keys = await read()
  const guard = createGuard({ module: await compileCodec(), keys, audience, ttl })
  keys.fill(0)
  if (keyFile !== undefined) {
    process.on("SIGHUP", async () => {
      try {
        const keys = await read()
        guard.rekey(keys)
        keys.fill(0)
        log("keys read again")
      } catch (error) {
        log(`keys not read again, the ones before stay: ${error instanceof Error ? error.message : error}`)
      }
    })
  }
  return guard
}
