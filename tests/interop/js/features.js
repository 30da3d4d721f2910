import { readFileSync } from "node:fs"

/**
 * The tools and forms that all servers have in common.
 *
 * @type {{
 *   tools: {name: string, description: string, inputSchema: any, legacy?: boolean}[],
 *   forms: Record<string, {message: string, requestedSchema: any}>,
 * }}
 */
export const features = JSON.parse(readFileSync(new URL("../features/features.json", import.meta.url), "utf8"))
