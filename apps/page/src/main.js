// Modules say texts while they are loaded, so the language comes first.

import { prepare } from "./language.js"

await prepare()
await import("./start.js")
