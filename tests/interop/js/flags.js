import { parseArgs } from "node:util"

/** The flags that every server has. */
export function flags() {
  const { values } = parseArgs({
    options: { http: { type: "string" }, stdio: { type: "boolean" }, legacy: { type: "boolean", default: false } },
  })
  if ((values.http === undefined) !== (values.stdio === true)) throw new Error("give either --http PORT or --stdio")
  return { port: values.http === undefined ? undefined : Number(values.http), legacy: values.legacy }
}
